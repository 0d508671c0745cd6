import { groupByKey, inSteps } from '../collections/groups.js'
import type { Pause } from '../collections/pause.js'
import { findString, stringAt } from '../collections/strings.js'
import { Uint32List } from '../collections/uint32-list.js'
import type { Succession } from '../model.js'
import { codesOf, fromCodes } from '../text/languages/detect.js'
import { isCommonNoun, isName, spellingOf } from '../text/truecase.js'
import { placesOf } from './earlier-mentions.js'
import { EntitiesBuilder } from './entities-builder.js'
import { FactsBuilder } from './facts-builder.js'
import { KNOWN_FLAG, KnownNames } from './known-names.js'
import { type Layers, PASSAGE_HEAD } from './layers.js'
import { MentionFinder, PHRASE_FLAG } from './mentions.js'
import { PassagesBuilder } from './passages-builder.js'
import {
  type Facts,
  factCount,
  type IndexData,
  MENTIONS_IN_STEP,
  type Mentions,
  type Passages,
  passageCount,
  type SafeIndex,
} from './safe-index.js'
import { textIndexOf } from './text-index-builder.js'

/** Passages that must contain a capitalised phrase before it becomes an entity; fewer connect nothing. */
const MIN_PASSAGES = 2

/**
 * Builds a Safe's index from all its rows, imports in the order of their ids; or a part of it from further rows, which
 * recognizes the names, phrases and languages of the index that it will be added to (`withPart`).
 */
export class IndexBuilder {
  readonly #layers: Layers
  readonly #entities: EntitiesBuilder
  readonly #facts: FactsBuilder
  readonly #passages: PassagesBuilder
  readonly #known: SafeIndex | null

  constructor(layers: Layers, succession: Succession | null, known: SafeIndex | null = null) {
    this.#layers = layers
    this.#entities = new EntitiesBuilder(layers)
    this.#facts = new FactsBuilder(layers.texts, succession)
    this.#known = known
    this.#passages = new PassagesBuilder(layers, known ? fromCodes(known.languages)[0] : undefined)
  }

  async build(pause: Pause): Promise<IndexData> {
    await this.#entities.addEntities(pause)
    await this.#entities.addAliases(pause)
    await this.#addRelations(pause)
    const { dictionary } = this.#entities
    const meanings = await dictionary.meanings(pause)
    const { folded } = this.#layers.lexicon
    const known = this.#known && new KnownNames(this.#known, folded, key => this.#entities.find(key))
    const mentions = new MentionFinder(dictionary, meanings, folded, known)
    await this.#addPassages(mentions, pause)
    return this.#build(mentions, pause)
  }

  async #addRelations(pause: Pause): Promise<void> {
    for (const { importId, numbers } of this.#layers.relations) {
      for (let at = 0; at < numbers.length; ) {
        const row = { importId, id: numbers[at] ?? 0 }
        const subject = this.#entities.known(numbers[at + 1] ?? 0)
        const object = this.#entities.known(numbers[at + 3] ?? 0)
        const dates = this.#layers.datesOf(numbers, at)
        this.#facts.add([subject, (numbers[at + 2] ?? 0) >>> 1, object], row, dates)
        at += dates ? 7 : 4
        if (pause.due()) await pause.rest()
      }
    }
  }

  /** After all names: the passages may mention them. */
  async #addPassages(mentions: MentionFinder, pause: Pause): Promise<void> {
    for (const { importId, numbers } of this.#layers.passages) {
      for (let at = 0, next = 0; at < numbers.length; at = next) {
        next = at + PASSAGE_HEAD + (numbers[at + 6] ?? 0) + (numbers[at + 7] ?? 0)
        const entity = this.#entities.known(numbers[at + 1] ?? 0)
        const passage = this.#passages.add(entity, importId, numbers, at, next)
        if (passage === null) continue
        mentions.read(passage, entity, this.#passages.latest)
        if (pause.due()) await pause.rest()
      }
    }
  }

  async #build(finder: MentionFinder, pause: Pause): Promise<IndexData> {
    const named = this.#entities.size
    const mentions = await this.#buildMentions(finder, pause)
    const facts = await this.#facts.build(this.#entities.size, pause)
    const { passages, text } = await this.#passages.build(this.#entities.size, pause)
    const languages = this.#known ? fromCodes(this.#known.languages) : this.#passages.languages()
    const { predicates } = this.#facts
    const predicateAt = (at: number) => this.#facts.textOf(at)
    return {
      languages: codesOf(languages),
      isNamed: new Uint8Array(this.#entities.size).fill(1, 0, named),
      named,
      ...(await this.#entities.build(named, languages, pause)),
      predicates: predicates.build(),
      predicateText: await textIndexOf(languages, predicates.size, predicateAt, pause),
      facts,
      passages,
      mentions,
      text,
      degrees: degreesOf(this.#entities.size, facts, passages, mentions),
      built: {
        imports: new Uint32Array(),
        basis: '',
        added: 0,
        identifying: Uint32Array.from(this.#layers.identities, ({ importId }) => importId),
      },
    }
  }

  /** Turns capitalised phrases that are names into entities and discards the others. */
  async #buildMentions(found: MentionFinder, pause: Pause): Promise<Mentions> {
    const [passage, entity, place] = [new Uint32List(), new Uint32List(), new Uint32List()]
    const entityOf = await this.#addPhrases(found, pause)
    await inSteps(found.target.length, pause, mention => {
      const number = this.#numberOf(found.target.at(mention), entityOf)
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

  /** The entity that a mention refers to + 1; 0 = none. */
  #numberOf(target: number, entityOf: Uint32Array): number {
    if (target >= PHRASE_FLAG) return entityOf[target - PHRASE_FLAG] ?? 0
    if (target < KNOWN_FLAG || !this.#known) return target + 1
    return this.#entities.numbered(stringAt(this.#known.entities, target - KNOWN_FLAG)) + 1
  }

  /** Phrase → its new entity + 1; 0 = none. */
  async #addPhrases(finder: MentionFinder, pause: Pause): Promise<Uint32Array> {
    if (this.#known) return this.#knownPhrases(finder, this.#known)
    const { phrases, passagesOf, nounsOf } = finder
    const entityOf = new Uint32Array(phrases)
    const stemsOf = (phrase: number) => finder.stemsOf(phrase)
    const found = { count: phrases, stemsOf, passagesOf: (phrase: number) => passagesOf.at(phrase) }
    const spelling = await spellingOf(found, this.#passages.frequencies(), pause)
    await inSteps(phrases, pause, phrase => {
      const passages = passagesOf.at(phrase)
      const stems = stemsOf(phrase)
      if (passages < MIN_PASSAGES || !isName(stems, passages, spelling)) return
      if (stems.length === 1 && isCommonNoun(nounsOf.at(phrase), passages)) return
      const words = finder.wordsOf(phrase)
      const entity = this.#entities.numbered(words.join(' '))
      this.#entities.dictionary.addPhrase(entity, words)
      entityOf[phrase] = entity + 1
    })
    return entityOf
  }

  /** Which single words are names depends on all rows: those of the complete index are. Others connect two passages. */
  #knownPhrases(finder: MentionFinder, known: SafeIndex): Uint32Array {
    return Uint32Array.from({ length: finder.phrases }, (_, phrase) => {
      const words = finder.wordsOf(phrase)
      const key = words.join(' ')
      const entity = findString(known.entities, key)
      if (entity >= 0) return known.isNamed[entity] === 1 ? 0 : this.#entities.numbered(key) + 1
      const isShared = finder.passagesOf.at(phrase) >= MIN_PASSAGES || placesOf(known, words).length > 0
      if (words.length === 1 || !isShared) return 0
      const added = this.#entities.numbered(key)
      this.#entities.dictionary.addPhrase(added, words)
      return added + 1
    })
  }
}

/** Number of edges of each entity, then of each passage. */
export function degreesOf(
  entities: number,
  facts: Facts,
  passages: Passages,
  mentions: Mentions,
): Uint32Array {
  const degrees = new Uint32Array(entities + passages.count)
  for (let entity = 0; entity < entities; entity++) {
    degrees[entity] = factCount({ facts }, entity) + passageCount({ passages, mentions }, entity)
  }
  for (let passage = 0; passage < passages.count; passage++) {
    degrees[entities + passage] = 1 + (mentions.offsets[passage + 1] ?? 0) - (mentions.offsets[passage] ?? 0)
  }
  return degrees
}
