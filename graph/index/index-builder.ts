import { groupByKey, inSteps, sizeOf } from '../collections/groups.js'
import type { Pause } from '../collections/pause.js'
import { StringsBuilder } from '../collections/strings.js'
import { TripleTable } from '../collections/triple-table.js'
import { Uint32List } from '../collections/uint32-list.js'
import type { Succession } from '../model.js'
import { codesOf, LanguageDetector } from '../text/languages/detect.js'
import type { Language } from '../text/languages/language.js'
import { termReader } from '../text/languages/stems.js'
import { JOINED, PAIRED, spellingIn, type Vocabulary } from '../text/lexicon.js'
import { words } from '../text/text.js'
import { isCommonNoun, isName, spellingOf } from '../text/truecase.js'
import type { TextIndex } from './bm25.js'
import { DatesCursor } from './dates-cursor.js'
import { DictionaryBuilder } from './dictionary.js'
import { FactsBuilder } from './facts-builder.js'
import { Identities } from './identities.js'
import { orderOf } from './key-order.js'
import { type Layers, PASSAGE_HEAD } from './layers.js'
import { MentionFinder, PassageWords, PHRASE_FLAG } from './mentions.js'
import { MergedBuilder } from './merged.js'
import { RowList } from './row-list.js'
import {
  type Facts,
  type IndexData,
  MENTIONS_IN_STEP,
  type Mentions,
  outgoingOf,
  type Passages,
  tagOf,
} from './safe-index.js'
import { TextIndexBuilder } from './text-index-builder.js'
import { TimeList } from './time-list.js'

/** Passages that must contain a capitalised phrase before it becomes an entity; fewer connect nothing. */
const LEAST_PASSAGES = 2

/** Builds a Safe's index from all its rows, imports in the order of their ids. */
export class IndexBuilder {
  readonly #layers: Layers
  /** Merged key → the key that stands for it. */
  readonly #roots: ReadonlyMap<string, string>
  readonly #merged = new MergedBuilder()
  readonly #entities = new StringsBuilder()
  /** Text of the layers → entity with this key + 1, type. */
  readonly #entityOf: Uint32Array
  readonly #typeNumberOf: Uint32Array
  readonly #types = new StringsBuilder()
  readonly #typeOf = new Uint32List()
  /** Import × 2 + (1 if its name differs from the key). */
  readonly #namedIn = new Uint32List()
  readonly #dictionary = new DictionaryBuilder()
  /** Names as written; stemmed at the end, when the Safe's languages are known. */
  readonly #names = new StringsBuilder()
  readonly #nameText = new Uint32List()
  readonly #nameOf = new Uint32List()
  readonly #facts: FactsBuilder
  /** Entity and two hashes of time and text, which identify equal passages of several imports. */
  readonly #passages = new TripleTable()
  readonly #passageRows = new RowList()
  readonly #times = new TimeList()
  readonly #text: TextIndexBuilder
  /** Stem as in `Vocabulary` → its number in the text index + 1. */
  readonly #termOf = new Uint32List()
  readonly #detector = new LanguageDetector()
  readonly #read = new PassageWords()
  readonly #words: Uint32List
  readonly #wordOffsets = new Uint32List()

  constructor(layers: Layers, succession: Succession | null) {
    this.#layers = layers
    this.#roots = rootsOf(layers)
    this.#facts = new FactsBuilder(layers.texts, succession)
    const { size } = layers.texts
    this.#entityOf = new Uint32Array(size)
    this.#typeNumberOf = new Uint32Array(size)
    this.#types.add('')
    // Passages consist almost of words alone.
    const words = layers.passages.byteLength / Uint32Array.BYTES_PER_ELEMENT
    this.#text = new TextIndexBuilder(words)
    this.#words = new Uint32List(words)
  }

  async build(pause: Pause): Promise<IndexData> {
    await this.#addEntities(pause)
    await this.#addAliases(pause)
    await this.#addRelations(pause)
    const meanings = await this.#dictionary.meanings(pause)
    const mentions = new MentionFinder(this.#dictionary, meanings, this.#layers.lexicon.folded)
    await this.#addPassages(mentions, pause)
    return this.#build(mentions, pause)
  }

  async #addEntities(pause: Pause): Promise<void> {
    for (const { importId, numbers } of this.#layers.entities) {
      for (let at = 0; at < numbers.length; at += 4) {
        const [key, type, isStated] = [numbers[at] ?? 0, numbers[at + 2] ?? 0, numbers[at + 3] ?? 0]
        const entity = this.#numberOf(key)
        if (type > 0 && this.#typeOf.at(entity) === 0) this.#typeOf.set(entity, this.#typeNumber(type - 1))
        const text = isStated === 1 || this.#roots.size > 0 ? this.#layers.texts.at(key) : ''
        if (this.#roots.has(text)) this.#merged.add(text, importId, isStated === 1)
        // A name that only repeats the key is replaced by one that an import states.
        else if (!this.#isStated(entity)) this.#namedIn.set(entity, importId * 2 + isStated)
        this.#addName(entity, this.#layers.texts.at(numbers[at + 1] ?? 0))
        if (isStated === 1) this.#addName(entity, text)
        if (pause.due()) await pause.rest()
      }
    }
  }

  async #addAliases(pause: Pause): Promise<void> {
    for (const { numbers } of this.#layers.aliases) {
      for (let at = 0; at < numbers.length; at += 2) {
        const entity = this.#known(numbers[at] ?? 0)
        const alias = this.#layers.texts.at(numbers[at + 1] ?? 0)
        if (this.#dictionary.addPhrase(entity, words(alias))) this.#addNameText(entity, alias)
        if (pause.due()) await pause.rest()
      }
    }
  }

  async #addRelations(pause: Pause): Promise<void> {
    const dates = new DatesCursor(this.#layers)
    for (const { importId, numbers } of this.#layers.relations) {
      for (let at = 0; at < numbers.length; at += 4) {
        const row = { importId, id: numbers[at] ?? 0 }
        const subject = this.#known(numbers[at + 1] ?? 0)
        const object = this.#known(numbers[at + 3] ?? 0)
        this.#facts.add([subject, numbers[at + 2] ?? 0, object], row, dates.of(importId, row.id))
        if (pause.due()) await pause.rest()
      }
    }
  }

  /** After all names: the passages may mention them. */
  async #addPassages(mentions: MentionFinder, pause: Pause): Promise<void> {
    for (const { importId, numbers } of this.#layers.passages) {
      for (let at = 0, next = 0; at < numbers.length; at = next) {
        const title = at + PASSAGE_HEAD
        const text = title + (numbers[at + 6] ?? 0)
        next = text + (numbers[at + 7] ?? 0)
        const entity = this.#known(numbers[at + 1] ?? 0)
        const { size } = this.#passages
        const passage = this.#passages.add(entity, numbers[at + 2] ?? 0, numbers[at + 3] ?? 0)
        this.#passageRows.add(passage, { importId, id: numbers[at] ?? 0 })
        if (passage < size) continue
        this.#times.set(passage, this.#layers.timeOf(numbers, at))
        this.#addText(numbers, title, text, next)
        mentions.read(passage, entity, this.#read)
        if (pause.due()) await pause.rest()
      }
    }
  }

  /** A title and, after it, a text, in the language of the text. */
  #addText(words: Uint32Array, title: number, from: number, to: number): void {
    const { lexicon } = this.#layers
    const vocabulary = lexicon.in(this.#detector.next(lexicon.marksOf(words, from, to)))
    const { stems, folded, properties } = vocabulary
    const read = this.#read
    read.reserve(to - from)
    this.#wordOffsets.push(this.#words.length)
    for (let at = from; at < to; at++) {
      const word = words[at] ?? 0
      const spelling = spellingIn(word)
      const term = this.#term(stems[spelling] || vocabulary.lookUp(spelling))
      this.#text.addTerm(term)
      this.#words.push(term < 0 ? 0 : tagOf(term))
      read.terms[read.length] = term
      read.folded[read.length] = folded[spelling] ?? 0
      read.properties[read.length] = properties[spelling] ?? 0
      read.joined[read.length++] = word & JOINED
    }
    this.#addPairs(words, from, to, vocabulary, 1)
    for (let at = title; at < from; at++) {
      const spelling = spellingIn(words[at] ?? 0)
      this.#text.addTerm(this.#term(stems[spelling] || vocabulary.lookUp(spelling)), 2)
    }
    this.#addPairs(words, title, from, vocabulary, 2)
    this.#text.end()
  }

  #addPairs(words: Uint32Array, from: number, to: number, { folded }: Vocabulary, times: number): void {
    for (let at = from + 1; at < to; at++) {
      if (((words[at] ?? 0) & PAIRED) === 0) continue
      const first = folded[spellingIn(words[at - 1] ?? 0)] ?? 0
      const second = folded[spellingIn(words[at] ?? 0)] ?? 0
      const pair = this.#layers.lexicon.pairOf(first, second)
      this.#text.addTerm(this.#term(pair + 2), times)
    }
  }

  /** The number in the text index of a stem as in `Vocabulary`; -1 for a stop word. */
  #term(stem: number): number {
    if (stem === 1) return -1
    const known = stem < this.#termOf.length ? this.#termOf.at(stem) : 0
    return known > 0 ? known - 1 : this.#newTerm(stem)
  }

  #newTerm(stem: number): number {
    while (this.#termOf.length <= stem) this.#termOf.push(0)
    const term = this.#text.stemNumber(this.#layers.lexicon.stems.at(stem - 2))
    this.#termOf.set(stem, term + 1)
    return term
  }

  async #build(finder: MentionFinder, pause: Pause): Promise<IndexData> {
    const named = this.#entities.size
    const mentions = await this.#buildMentions(finder, pause)
    const facts = await this.#facts.build(this.#entities.size, pause)
    const passages = await this.#buildPassages(pause)
    const languages = this.#detector.languages()
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
      predicates: this.#facts.predicates.build(),
      predicateText: await textIndexOf(
        languages,
        this.#facts.predicates.size,
        at => this.#facts.textOf(at),
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
  async #buildMentions(found: MentionFinder, pause: Pause): Promise<Mentions> {
    const [passage, entity, place] = [new Uint32List(), new Uint32List(), new Uint32List()]
    const entityOf = await this.#addPhrases(found, pause)
    await inSteps(found.target.length, pause, mention => {
      const target = found.target.at(mention)
      const number = target < PHRASE_FLAG ? target + 1 : (entityOf[target - PHRASE_FLAG] ?? 0)
      if (number === 0) return
      passage.push(found.passage.at(mention))
      entity.push(number - 1)
      place.push(found.place.at(mention))
    })
    const { offsets } = await groupByKey(passage.toArray(), this.#passages.size, pause)
    return {
      entity: entity.toArray(),
      place: new Uint16Array(place.view()),
      offsets,
      steps: passage.toArray().filter((_, mention) => mention % MENTIONS_IN_STEP === 0),
      byEntity: await groupByKey(entity.toArray(), this.#entities.size, pause),
    }
  }

  /** Phrase → its new entity + 1; 0 = none. */
  async #addPhrases(finder: MentionFinder, pause: Pause): Promise<Uint32Array> {
    const { phrases, passagesOf, nounsOf } = finder
    const entityOf = new Uint32Array(phrases)
    const stemsOf = (phrase: number) => finder.stemsOf(phrase)
    const found = { count: phrases, stemsOf, passagesOf: (phrase: number) => passagesOf.at(phrase) }
    const spelling = await spellingOf(found, this.#text.frequencies(), pause)
    await inSteps(phrases, pause, phrase => {
      const passages = passagesOf.at(phrase)
      const stems = stemsOf(phrase)
      if (passages < LEAST_PASSAGES || !isName(stems, passages, spelling)) return
      if (stems.length === 1 && isCommonNoun(nounsOf.at(phrase), passages)) return
      const words = finder.wordsOf(phrase)
      const entity = this.#numbered(words.join(' '))
      this.#dictionary.addPhrase(entity, words)
      entityOf[phrase] = entity + 1
    })
    return entityOf
  }

  async #buildPassages(pause: Pause): Promise<Passages> {
    const entity = this.#passages.first.toArray()
    this.#wordOffsets.push(this.#words.length)
    return {
      count: entity.length,
      entity,
      about: await groupByKey(entity, this.#entities.size, pause),
      offsets: this.#wordOffsets.toArray(),
      words: new Uint16Array(this.#words.view()),
      ...this.#times.build(entity.length),
      rows: this.#passageRows.build(Uint32Array.from(entity, (_, at) => at)),
    }
  }

  /** The entity with this key, a text of the layers. */
  #numberOf(key: number): number {
    const known = this.#entityOf[key] ?? 0
    if (known > 0) return known - 1
    const entity = this.#numbered(this.#layers.texts.at(key))
    this.#entityOf[key] = entity + 1
    return entity
  }

  #numbered(key: string): number {
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
  #known(key: number): number {
    const { size } = this.#entities
    const entity = this.#numberOf(key)
    if (entity === size) this.#addName(entity, this.#layers.texts.at(key))
    return entity
  }

  #typeNumber(type: number): number {
    const known = this.#typeNumberOf[type] ?? 0
    if (known > 0) return known
    const number = this.#types.add(this.#layers.texts.at(type))
    this.#typeNumberOf[type] = number
    return number
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

/** Merged key → the key that stands for it. */
function rootsOf({ identities: pieces, texts }: Layers): Map<string, string> {
  const identities = new Identities()
  for (const { numbers } of pieces)
    for (let at = 0; at < numbers.length; at += 2)
      identities.add({ key: texts.at(numbers[at] ?? 0), sameAs: texts.at(numbers[at + 1] ?? 0) })
  return identities.resolve()
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
