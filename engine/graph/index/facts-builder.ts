import { groupByKeys, reordered } from '../collections/groups.js'
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

/** Facts in order of arrival, and how many predicates and entities there are. */
interface Arrived extends Pick<Facts, 'subject' | 'predicate' | 'object'> {
  predicates: number
  entities: number
}

/** Facts by subject and predicate, ready to be read. Superseded ones are behind others. `periodOf`: empty without dates. */
export async function sortedFacts(
  { subject, predicate, object, predicates, entities }: Arrived,
  rows: RowList,
  periods: FactPeriodsBuilder,
  periodOf: Uint32Array,
  pause: Pause,
): Promise<Facts> {
  const superseded = subject.map((_, fact) => Number(periods.isSuperseded(periodOf[fact] ?? 0)))
  const { offsets, items } = await groupByKeys(
    [
      ...(superseded.includes(1) ? [[superseded, 2] as const] : []),
      [predicate, predicates],
      [subject, entities],
    ],
    pause,
  )
  const sorted = { predicate: reordered(predicate, items), object: reordered(object, items) }
  return {
    count: items.length,
    subject: reordered(subject, items),
    ...sorted,
    outgoing: offsets,
    incoming: await groupByKeys(
      [
        [sorted.predicate, predicates],
        [sorted.object, entities],
      ],
      pause,
    ),
    periods: periods.build(periodOf.length === 0 ? periodOf : reordered(periodOf, items)),
    rows: rows.build(items),
  }
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

  /** `entities`: how many there are. */
  async build(entities: number, pause: Pause): Promise<Facts> {
    for (const [fact, { begin, end }] of this.#succession?.ends() ?? [])
      this.#periodOf.put(fact, this.#periods.implied(this.#periodOf.at(fact), begin, end))
    const { first, second, third } = this.#facts
    const sizes = { predicates: this.predicates.size, entities }
    const facts = { subject: first.view(), predicate: second.view(), object: third.view(), ...sizes }
    return sortedFacts(facts, this.#rows, this.#periods, this.#periodOf.view(), pause)
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
