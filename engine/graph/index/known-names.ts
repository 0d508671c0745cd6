import { itemsOf } from '../collections/groups.js'
import { hashOf } from '../collections/hash.js'
import { findString, type StringsBuilder, stringAt } from '../collections/strings.js'
import { LENGTH_BIT } from '../text/lexicon.js'
import { canOpen } from './dictionary.js'
import { MAX_MENTION_LENGTH, MIN_NAME_LENGTH, type PassageWords } from './passage-words.js'
import type { SafeIndex } from './safe-index.js'

/** Distinguishes entities of the index that a part is added to from those of the part. */
export const KNOWN_FLAG = 0x4000_0000

/** The names of an index, for finding mentions of them in the texts of a part. */
export class KnownNames {
  readonly #index: SafeIndex
  readonly #words: StringsBuilder
  readonly #findOwn: (key: string) => number
  /** Phrase → the entities that it names, as in `at`. */
  readonly #meanings = new Map<number, number[]>()
  readonly #hashes: number[] = []

  /** `words` are the folded forms of the texts; `findOwn` gives the entity of the part with a key, or -1. */
  constructor(index: SafeIndex, words: StringsBuilder, findOwn: (key: string) => number) {
    this.#index = index
    this.#words = words
    this.#findOwn = findOwn
  }

  /**
   * The longest name of more than `least` words that begins at this word, with the entities that it can refer to: those
   * that the part has, and others + `KNOWN_FLAG`.
   */
  at({ length, folded, properties, terms }: PassageWords, at: number, least: number) {
    const { dictionary } = this.#index
    const most = Math.min(MAX_MENTION_LENGTH, length - at)
    const canBeLong =
      most > 1 && canOpen(dictionary.openings, this.#hash(folded[at]), this.#hash(folded[at + 1]))
    for (let size = canBeLong ? most : 1; size > least; size--) {
      const isTooShort =
        size === 1 && ((properties[at] ?? 0) >>> LENGTH_BIT < MIN_NAME_LENGTH || terms[at] === -1)
      if (isTooShort) return null
      const words = Array.from(folded.subarray(at, at + size), word => this.#words.at(word))
      const phrase = findString(dictionary.phrases, words.join(' '))
      const meanings = phrase < 0 ? [] : this.#meaningsOf(phrase)
      if (meanings.length > 0) return { length: size, meanings }
    }
    return null
  }

  #meaningsOf(phrase: number): number[] {
    const known = this.#meanings.get(phrase)
    if (known) return known
    const { dictionary, entities, isNamed } = this.#index
    const found = new Set<number>()
    for (const item of itemsOf(dictionary.meanings, phrase)) {
      const entity = item >>> 1
      if (isNamed[entity] !== 1) continue
      const own = this.#findOwn(stringAt(entities, entity))
      found.add(own < 0 ? entity + KNOWN_FLAG : own)
    }
    const meanings = [...found]
    this.#meanings.set(phrase, meanings)
    return meanings
  }

  #hash(word = 0): number {
    this.#hashes[word] ??= hashOf(this.#words.at(word), this.#index.dictionary.phrases.hashKey)
    return this.#hashes[word]
  }
}
