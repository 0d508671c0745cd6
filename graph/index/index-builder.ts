import { groupByKey, inSteps, sizeOf } from '../collections/groups.js'
import { hashOf, newHashKey, ownHashKey } from '../collections/hash.js'
import type { Pause } from '../collections/pause.js'
import { StringsBuilder } from '../collections/strings.js'
import { TripleTable } from '../collections/triple-table.js'
import { Uint32List } from '../collections/uint32-list.js'
import type { AliasRow, EntityRow, PassageRow, RelationRow, Succession } from '../model.js'
import { codesOf } from '../text/languages/detect.js'
import { english, type Language } from '../text/languages/language.js'
import { termReader } from '../text/languages/stems.js'
import { Lexicon } from '../text/lexicon.js'
import { normalizeName, spacedPredicate, words } from '../text/text.js'
import { isCommonNoun, isName, spellingOf } from '../text/truecase.js'
import type { TextIndex } from './bm25.js'
import { DictionaryBuilder } from './dictionary.js'
import { FactPeriodsBuilder } from './fact-periods.js'
import { orderOf } from './key-order.js'
import { MentionFinder, phraseFlag } from './mentions.js'
import { MergedBuilder } from './merged.js'
import { RowList } from './row-list.js'
import {
  type Facts,
  type IndexData,
  type Mentions,
  mentionsInStep,
  outgoingOf,
  type Passages,
  tagOf,
} from './safe-index.js'
import { SuccessionFinder } from './succession.js'
import { TextIndexBuilder } from './text-index-builder.js'
import { TimeList } from './time-list.js'

/** Passages that must contain a capitalised phrase before it becomes an entity; fewer connect nothing. */
const leastPassages = 2

/** For a second hash of passages. */
const otherKey = newHashKey()

/** Builds a Safe's index from its rows: entities, aliases, relations, then passages. */
export class IndexBuilder {
  /** Merged key → the key that stands for it. */
  readonly #roots: ReadonlyMap<string, string>
  readonly #merged = new MergedBuilder()
  readonly #entities = new StringsBuilder()
  readonly #types = new StringsBuilder()
  readonly #typeOf = new Uint32List()
  /** Import × 2 + (1 if its name differs from the key). */
  readonly #namedIn = new Uint32List()
  readonly #dictionary = new DictionaryBuilder()
  /** Names as written; stemmed at the end, when the Safe's languages are known. */
  readonly #names = new StringsBuilder()
  readonly #nameText = new Uint32List()
  readonly #nameOf = new Uint32List()
  readonly #predicates = new StringsBuilder()
  /** Each predicate as first written, split into words. */
  readonly #predicateTexts: string[] = []
  /** A predicate as written → its number. */
  readonly #spellings = new Map<string, number>()
  readonly #facts = new TripleTable()
  readonly #periods = new FactPeriodsBuilder()
  /** Fact → its period. */
  readonly #periodOf = new Uint32List()
  readonly #succession: SuccessionFinder | null
  /** Predicates with one value at a time. */
  readonly #singleValued = new Set<number>()
  readonly #factRows = new RowList()
  /** Entity and two hashes of time and text, which identify equal passages of several imports. */
  readonly #passages = new TripleTable()
  readonly #passageRows = new RowList()
  readonly #times = new TimeList()
  readonly #text = new TextIndexBuilder()
  readonly #words = new Uint32List()
  readonly #wordOffsets = new Uint32List()
  /** Created when all names are known. */
  #mentions: MentionFinder | null = null
  #lexicon: Lexicon | null = null

  constructor(roots: ReadonlyMap<string, string> = new Map(), succession: Succession | null = null) {
    this.#roots = roots
    this.#succession = succession && new SuccessionFinder(succession)
    this.#types.add('')
  }

  addEntity(row: EntityRow): void {
    const entity = this.#numberOf(row.key)
    if (row.type !== null && this.#typeOf.at(entity) === 0) {
      this.#typeOf.set(entity, this.#types.add(normalizeName(row.type)))
    }
    const isStated = normalizeName(row.name) !== row.key
    if (this.#roots.has(row.key)) this.#merged.add(row.key, row.importId, isStated)
    // A name that only repeats the key is replaced by one that an import states.
    else if (!this.#isStated(entity)) this.#namedIn.set(entity, row.importId * 2 + Number(isStated))
    this.#addName(entity, row.name)
    if (isStated) this.#addName(entity, row.key)
  }

  addAlias(row: AliasRow): void {
    const entity = this.#known(row.entityKey)
    const folded = words(row.alias)
    if (this.#dictionary.addPhrase(entity, folded)) this.#addNameText(entity, row.alias)
  }

  addRelation(row: RelationRow): void {
    const predicate = this.#predicateOf(row.predicate)
    const [subject, object] = [this.#known(row.subjectKey), this.#known(row.objectKey)]
    const fact = this.#factOf(subject, predicate, object, this.#periods.add(row.validFrom, row.validTo))
    this.#factRows.add(fact, row)
    if (this.#singleValued.has(predicate)) this.#succession?.add(fact, predicate, [subject, object], row)
  }

  /** Called after all names; the passages that follow may mention them. */
  async endNames(pause: Pause): Promise<void> {
    const mentions = new MentionFinder(this.#dictionary, await this.#dictionary.meanings(pause))
    this.#mentions = mentions
    this.#lexicon = new Lexicon(
      stem => this.#text.stemNumber(stem),
      word => mentions.longestFrom(word),
    )
  }

  addPassage(row: PassageRow): void {
    const text = `${row.time ?? ''}\n${row.title}\n${row.text}`
    const { size } = this.#passages
    const entity = this.#known(row.entityKey)
    const passage = this.#passages.add(entity, hashOf(text, ownHashKey), hashOf(text, otherKey))
    this.#passageRows.add(passage, row)
    if (passage < size || !this.#lexicon) return
    this.#times.set(passage, row.time)
    const found = this.#lexicon.read(row.text)
    for (const term of this.#lexicon.termsOf(row.title)) this.#text.addTerm(term, 2)
    this.#wordOffsets.push(this.#words.length)
    for (const { term } of found.lexemes) {
      this.#text.addTerm(term)
      this.#words.push(term < 0 ? 0 : tagOf(term))
    }
    for (const pair of found.pairs) this.#text.addTerm(pair)
    this.#text.end()
    this.#mentions?.read(passage, entity, found)
  }

  async build(pause: Pause): Promise<IndexData> {
    const named = this.#entities.size
    const mentions = await this.#buildMentions(pause)
    const facts = await this.#buildFacts(pause)
    const passages = await this.#buildPassages(pause)
    const languages = this.#lexicon?.languages() ?? [english]
    const entities = this.#entities.build()
    return {
      languages: codesOf(languages),
      entities,
      named,
      byKey: orderOf(entities, named),
      types: this.#types.build(),
      typeOf: this.#typeOf.toArray(),
      namedIn: this.#namedIn.toArray().map(value => value >>> 1),
      merged: this.#merged.build(this.#roots, root => this.#entities.find(root)),
      dictionary: await this.#dictionary.build(pause),
      names: await textIndexOf(
        languages,
        this.#nameText.length,
        at => this.#names.at(this.#nameText.at(at)),
        pause,
      ),
      nameOf: this.#nameOf.toArray(),
      predicates: this.#predicates.build(),
      predicateText: await textIndexOf(
        languages,
        this.#predicates.size,
        at => this.#predicateTexts[at] ?? '',
        pause,
      ),
      facts,
      passages,
      mentions,
      text: await this.#text.build(pause),
      degrees: degreesOf(this.#entities.size, facts, passages, mentions),
    }
  }

  /** Turns capitalised phrases that are names into entities and discards the others. */
  async #buildMentions(pause: Pause): Promise<Mentions> {
    const [passage, entity, place] = [new Uint32List(), new Uint32List(), new Uint32List()]
    const found = this.#mentions
    const entityOf = found ? await this.#addPhrases(found, pause) : new Uint32Array(0)
    await inSteps(found?.target.length ?? 0, pause, mention => {
      const target = found?.target.at(mention) ?? 0
      const number = target < phraseFlag ? target + 1 : (entityOf[target - phraseFlag] ?? 0)
      if (number === 0) return
      passage.push(found?.passage.at(mention) ?? 0)
      entity.push(number - 1)
      place.push(found?.place.at(mention) ?? 0)
    })
    const { offsets } = await groupByKey(passage.toArray(), this.#passages.size, pause)
    return {
      entity: entity.toArray(),
      place: Uint16Array.from(place.toArray()),
      offsets,
      steps: passage.toArray().filter((_, mention) => mention % mentionsInStep === 0),
      byEntity: await groupByKey(entity.toArray(), this.#entities.size, pause),
    }
  }

  /** Phrase → its new entity + 1; 0 = none. */
  async #addPhrases(finder: MentionFinder, pause: Pause): Promise<Uint32Array> {
    const { phrases, passagesOf, nounsOf } = finder
    const entityOf = new Uint32Array(phrases.size)
    const stemsOf = (phrase: number) => finder.stemsOf(phrase)
    const found = { count: phrases.size, stemsOf, passagesOf: (phrase: number) => passagesOf.at(phrase) }
    const spelling = await spellingOf(found, this.#text.frequencies(), pause)
    await inSteps(phrases.size, pause, phrase => {
      const passages = passagesOf.at(phrase)
      const stems = stemsOf(phrase)
      if (passages < leastPassages || !isName(stems, passages, spelling)) return
      if (stems.length === 1 && isCommonNoun(nounsOf.at(phrase), passages)) return
      const entity = this.#numberOf(phrases.at(phrase))
      this.#dictionary.addPhrase(entity, phrases.at(phrase).split(' '))
      entityOf[phrase] = entity + 1
    })
    return entityOf
  }

  /** A fact that is stated with and without dates is one. In another period it is another one. */
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

  async #buildFacts(pause: Pause): Promise<Facts> {
    const arrival = this.#supersede()
    const column = (list: Uint32List) => (arrival ? list.reordered(arrival) : list.toArray())
    const [subject, predicate, object] = [
      column(this.#facts.first),
      column(this.#facts.second),
      column(this.#facts.third),
    ]
    const byPredicate = await groupByKey(predicate, this.#predicates.size, pause)
    const bySubject = await groupByKey(reordered(subject, byPredicate.items), this.#entities.size, pause)
    const order = reordered(byPredicate.items, bySubject.items)
    const sorted = {
      subject: reordered(subject, order),
      predicate: reordered(predicate, order),
      object: reordered(object, order),
    }
    const places = arrival ? reordered(arrival, order) : order
    const again = await groupByKey(sorted.predicate, this.#predicates.size, pause)
    const byObject = await groupByKey(reordered(sorted.object, again.items), this.#entities.size, pause)
    return {
      count: order.length,
      ...sorted,
      outgoing: bySubject.offsets,
      incoming: { offsets: byObject.offsets, items: reordered(again.items, byObject.items) },
      periods: this.#periods.build(
        this.#periodOf.length === 0 ? new Uint32Array(0) : this.#periodOf.reordered(places),
      ),
      rows: this.#factRows.build(places),
    }
  }

  async #buildPassages(pause: Pause): Promise<Passages> {
    const entity = this.#passages.first.toArray()
    this.#wordOffsets.push(this.#words.length)
    return {
      count: entity.length,
      entity,
      about: await groupByKey(entity, this.#entities.size, pause),
      offsets: this.#wordOffsets.toArray(),
      words: Uint16Array.from(this.#words.toArray()),
      ...this.#times.build(entity.length),
      rows: this.#passageRows.build(Uint32Array.from(entity, (_, at) => at)),
    }
  }

  #numberOf(key: string): number {
    const entity = this.#entities.add(this.#roots.get(key) ?? key)
    if (entity === this.#typeOf.length) {
      this.#typeOf.push(0)
      this.#namedIn.push(0)
    }
    return entity
  }

  #isStated(entity: number): boolean {
    return (this.#namedIn.at(entity) & 1) === 1
  }

  /**
   * The entity with this key, created with the key as its name if no row names it (the end of a dangling
   * relation).
   */
  #known(key: string): number {
    const { size } = this.#entities
    const entity = this.#numberOf(key)
    if (entity === size) this.#addName(entity, key)
    return entity
  }

  #predicateOf(written: string): number {
    const known = this.#spellings.get(written)
    if (known !== undefined) return known
    const spaced = spacedPredicate(written)
    const name = normalizeName(spaced)
    const predicate = this.#predicates.add(name)
    if (predicate === this.#predicateTexts.length) {
      this.#predicateTexts.push(spaced)
      if (this.#succession?.follows(name)) this.#singleValued.add(predicate)
    }
    if (this.#spellings.size < 10_000) this.#spellings.set(written, predicate)
    return predicate
  }

  #addName(entity: number, name: string): void {
    const folded = words(name)
    if (this.#dictionary.addName(entity, name, folded)) this.#addNameText(entity, name)
  }

  #addNameText(entity: number, name: string): void {
    this.#nameText.push(this.#names.add(name))
    this.#nameOf.push(entity)
  }
}

/** An index over short texts by their stems in all of the Safe's languages. */
async function textIndexOf(
  languages: readonly Language[],
  count: number,
  textAt: (number: number) => string,
  pause: Pause,
): Promise<TextIndex> {
  const builder = new TextIndexBuilder()
  const termsOf = termReader(languages)
  await inSteps(count, pause, at => {
    for (const stems of termsOf(textAt(at))) builder.addStems(stems)
    builder.end()
  })
  return builder.build(pause)
}

function degreesOf(entities: number, facts: Facts, passages: Passages, mentions: Mentions): Uint32Array {
  const degrees = new Uint32Array(entities + passages.count)
  for (let entity = 0; entity < entities; entity++) {
    const { start, end } = outgoingOf(facts, entity)
    const about = sizeOf(passages.about, entity) + sizeOf(mentions.byEntity, entity)
    degrees[entity] = end - start + sizeOf(facts.incoming, entity) + about
  }
  for (let passage = 0; passage < passages.count; passage++) {
    degrees[entities + passage] = 1 + (mentions.offsets[passage + 1] ?? 0) - (mentions.offsets[passage] ?? 0)
  }
  return degrees
}

function reordered(values: Uint32Array, places: Uint32Array): Uint32Array<ArrayBuffer> {
  const result = new Uint32Array(places.length)
  for (let at = 0; at < places.length; at++) result[at] = values[places[at] ?? 0] ?? 0
  return result
}
