import { type Groups, groupByKey, reordered } from '../collections/groups.js'
import type { Pause } from '../collections/pause.js'
import { StringsBuilder } from '../collections/strings.js'
import { TripleTable } from '../collections/triple-table.js'
import { Uint32List } from '../collections/uint32-list.js'
import type { FactTimes, RowRef, Succession } from '../model.js'
import { normalizeName, spacedPredicate } from '../text/text.js'
import { FactPeriodsBuilder } from './fact-periods.js'
import type { Layers } from './layers.js'
import { RowList } from './row-list.js'
import type { Facts } from './safe-index.js'
import { SuccessionFinder } from './succession.js'

/** Entity → facts with it as object, ordered by predicate. */
export async function incomingOf(
  { predicate, object }: Pick<Facts, 'predicate' | 'object'>,
  predicates: number,
  entities: number,
  pause: Pause,
): Promise<Groups> {
  const byPredicate = await groupByKey(predicate, predicates, pause)
  const { offsets, items } = await groupByKey(reordered(object, byPredicate.items), entities, pause)
  return { offsets, items: reordered(byPredicate.items, items) }
}

/** Facts as rows state them: each once, with its period and all its rows. */
export class FactsBuilder {
  readonly #texts: Layers['texts']
  /** Text of the layers → predicate + 1. */
  readonly #predicateOf: Uint32Array
  readonly predicates = new StringsBuilder()
  /** Each predicate as first written, split into words. */
  readonly #predicateTexts: string[] = []
  readonly #facts = new TripleTable()
  readonly #periods = new FactPeriodsBuilder()
  /** Fact → its period. */
  readonly #periodOf = new Uint32List()
  readonly #succession: SuccessionFinder | null
  /** Predicates with one value at a time. */
  readonly #singleValued = new Set<number>()
  readonly #rows = new RowList()

  constructor(texts: Layers['texts'], succession: Succession | null) {
    this.#texts = texts
    this.#predicateOf = new Uint32Array(texts.size)
    this.#succession = succession && new SuccessionFinder(succession)
  }

  /** Adds what a row states. The predicate is a text of the layers, subject and object are entities. */
  add(
    [subject, written, object]: readonly [number, number, number],
    row: RowRef,
    times: FactTimes | null,
  ): void {
    const predicate = this.#predicate(written)
    const period = times ? this.#periods.add(times.validFrom, times.validTo) : 0
    const fact = this.#factOf(subject, predicate, object, period)
    this.#rows.add(fact, row)
    if (this.#singleValued.has(predicate))
      this.#succession?.add(fact, predicate, [subject, object], { importId: row.importId, ...times })
  }

  /** A predicate as first written, split into words. */
  textOf(predicate: number): string {
    return this.#predicateTexts[predicate] ?? ''
  }

  /** Sorted by subject and predicate, and ready to be read. `entities`: how many there are. */
  async build(entities: number, pause: Pause): Promise<Facts> {
    const arrival = this.#supersede()
    const column = (list: Uint32List) => (arrival ? list.reordered(arrival) : list.toArray())
    const [subject, predicate, object] = [
      column(this.#facts.first),
      column(this.#facts.second),
      column(this.#facts.third),
    ]
    const byPredicate = await groupByKey(predicate, this.predicates.size, pause)
    const bySubject = await groupByKey(reordered(subject, byPredicate.items), entities, pause)
    const order = reordered(byPredicate.items, bySubject.items)
    const sorted = {
      subject: reordered(subject, order),
      predicate: reordered(predicate, order),
      object: reordered(object, order),
    }
    const places = arrival ? reordered(arrival, order) : order
    return {
      count: order.length,
      ...sorted,
      outgoing: bySubject.offsets,
      incoming: await incomingOf(sorted, this.predicates.size, entities, pause),
      periods: this.#periods.build(
        this.#periodOf.length === 0 ? new Uint32Array(0) : this.#periodOf.reordered(places),
      ),
      rows: this.#rows.build(places),
    }
  }

  /** A fact that is stated with and without dates is one. The same relation in another period counts separately. */
  #factOf(subject: number, predicate: number, object: number, period: number): number {
    const fact = this.#facts.add(subject, predicate, object)
    const known = this.#periodOf.at(fact)
    if (period === 0 || period === known) return fact
    const own = known === 0 ? fact : this.#facts.add(subject, predicate, object, period)
    this.#periodOf.put(own, period)
    return own
  }

  /** Gives superseded facts their end and returns the order of facts with these last; null: as they arrived. */
  #supersede(): Uint32Array | null {
    const superseded: number[] = []
    for (const [fact, { begin, end }] of this.#succession?.ends() ?? []) {
      const period = this.#periods.implied(this.#periodOf.at(fact), begin, end)
      if (this.#periods.isSuperseded(period)) superseded.push(fact)
      this.#periodOf.put(fact, period)
    }
    if (superseded.length === 0) return null
    const last = new Set(superseded)
    const others = Uint32Array.from({ length: this.#facts.size }, (_, fact) => fact).filter(
      fact => !last.has(fact),
    )
    return Uint32Array.from([...others, ...superseded.sort((a, b) => a - b)])
  }

  #predicate(written: number): number {
    const known = this.#predicateOf[written] ?? 0
    if (known > 0) return known - 1
    const spaced = spacedPredicate(this.#texts.at(written))
    const name = normalizeName(spaced)
    const predicate = this.predicates.add(name)
    if (predicate === this.#predicateTexts.length) {
      this.#predicateTexts.push(spaced)
      if (this.#succession?.follows(name)) this.#singleValued.add(predicate)
    }
    this.#predicateOf[written] = predicate + 1
    return predicate
  }
}
