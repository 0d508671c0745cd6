import { type Groups, groupByKey, inSteps, itemsOf } from '../collections/groups.js'
import { hashOf, ownHashKey } from '../collections/hash.js'
import type { Pause } from '../collections/pause.js'
import { findString, type Strings, StringsBuilder } from '../collections/strings.js'
import { TripleTable } from '../collections/triple-table.js'
import { words } from '../text/text.js'
import type { TextIndex } from './bm25.js'
import type { Postings } from './postings.js'
import { TextIndexBuilder } from './text-index-builder.js'
import { buildTrigrams } from './trigrams.js'

/** Words of the longest name that a question can mention. */
export const MAX_PHRASE_LENGTH = 10

/**
 * The names of entities: phrases of folded words separated by blanks, each with the entities it can refer to.
 */
export interface Dictionary {
  phrases: Strings
  /** Phrase → entity × 2 + (0 whole, 1 part). */
  meanings: Groups
  /** The pairs of words that begin phrases of several words, hashed with the key of `phrases`. */
  openings: Buffer
  /** Text index over the phrases. */
  words: TextIndex
  /** Trigram → stems in `words.vocabulary`: for names with typos. */
  spellings: Postings
}

/** An entity that a phrase can refer to. */
export interface Meaning {
  entity: number
  /** Whether the phrase is the complete name or an alias, rather than a part of the name. */
  whole: boolean
}

/** The entities that the phrase can refer to; empty if there are none. */
export function meaningsOf(dictionary: Dictionary, phrase: string): Meaning[] {
  const number = findString(dictionary.phrases, phrase)
  return number < 0 ? [] : meaningsAt(dictionary, number)
}

/** Meanings considered per phrase, in order of arrival; beyond this a phrase is too ambiguous. */
const MAX_MEANINGS = 1_000

/** The entities that the phrase with this number can refer to, at most a thousand. */
export function meaningsAt({ meanings }: Dictionary, number: number): Meaning[] {
  return distinct(itemsOf(meanings, number).subarray(0, MAX_MEANINGS))
}

/** An entity with the phrase both as its name and as a part counts as named so. */
function distinct(items: Uint32Array): Meaning[] {
  if (items.length === 1) return [{ entity: (items[0] ?? 0) >>> 1, whole: ((items[0] ?? 0) & 1) === 0 }]
  const seen = new Map<number, boolean>()
  for (const item of items) seen.set(item >>> 1, seen.get(item >>> 1) === true || (item & 1) === 0)
  return [...seen].map(([entity, whole]) => ({ entity, whole }))
}

/** Collects names for a `Dictionary`. */
export class DictionaryBuilder {
  readonly phrases = new StringsBuilder()
  /** Phrase, entity × 2 + (0 whole, 1 part), nothing. */
  readonly #meanings = new TripleTable()

  /**
   * Adds a name of an entity and the parts of it that people use alone. Returns false if the entity already
   * has it.
   */
  addName(entity: number, name: string, folded: readonly string[]): boolean {
    for (const part of partsOf(name, folded)) this.addPhrase(entity, part, false)
    return this.addPhrase(entity, folded)
  }

  addPhrase(entity: number, folded: readonly string[], whole = true): boolean {
    if (folded.length === 0 || folded.length > MAX_PHRASE_LENGTH) return true
    const { size } = this.#meanings
    this.#meanings.add(this.phrases.add(folded.join(' ')), entity * 2 + (whole ? 0 : 1), 0)
    return this.#meanings.size > size
  }

  /** Phrase → meanings added so far. */
  async meanings(pause: Pause): Promise<Groups> {
    const meanings = await groupByKey(this.#meanings.first.toArray(), this.phrases.size, pause)
    await inSteps(meanings.items.length, pause, at => {
      meanings.items[at] = this.#meanings.second.at(meanings.items[at] ?? 0)
    })
    return meanings
  }

  async build(pause: Pause): Promise<Dictionary> {
    const words = new TextIndexBuilder()
    const openings = emptyOpenings(this.phrases.size)
    await inSteps(this.phrases.size, pause, phrase => {
      const text = this.phrases.at(phrase)
      addPhrase(openings, text)
      words.add(text.split(' '))
      words.end()
    })
    const index = await words.build(pause)
    return {
      phrases: this.phrases.build(),
      meanings: await this.meanings(pause),
      openings,
      words: index,
      spellings: await buildTrigrams(index.vocabulary, pause),
    }
  }
}

/**
 * The name without "(…)", up to the first comma, without a leading "the"; of a very long name its beginning.
 */
function partsOf(name: string, whole: readonly string[]): (readonly string[])[] {
  const parts: (readonly string[])[] = []
  if (name.includes('(')) parts.push(words(name.replace(/\([^()]*\)/g, ' ')))
  if (name.includes(',')) parts.push(words(name.slice(0, name.indexOf(','))))
  if (whole[0] === 'the' && whole.length > 1) parts.push(whole.slice(1))
  if (whole.length > MAX_PHRASE_LENGTH) parts.push(whole.slice(0, MAX_PHRASE_LENGTH))
  return parts
}

/**
 * A Bloom filter (1970) of the pairs of words that can begin a name, which rejects nearly all other pairs
 * without a look-up. 16 to 32 bits per name.
 */
function emptyOpenings(names: number): Buffer {
  return Buffer.alloc(2 ** Math.ceil(Math.log2(2 * names + 1024)))
}

/** Words are given as `hashOf` their folded form, all with one key. */
function addOpening(bits: Uint8Array, first: number, second: number): void {
  const pair = pairOf(first, second)
  const place = (pair >>> 3) & (bits.length - 1)
  bits[place] = (bits[place] ?? 0) | (1 << (pair & 7))
}

/** False if no name begins with these two words. */
export function canOpen(bits: Uint8Array, first: number, second: number): boolean {
  const pair = pairOf(first, second)
  return (((bits[(pair >>> 3) & (bits.length - 1)] ?? 0) >>> (pair & 7)) & 1) === 1
}

/** Adds the first two words of a phrase of folded words. */
export function addPhrase(bits: Uint8Array, phrase: string, key = ownHashKey): void {
  const [first, second] = phrase.split(' ', 2)
  if (first !== undefined && second !== undefined) addOpening(bits, hashOf(first, key), hashOf(second, key))
}

function pairOf(first: number, second: number): number {
  const hash = Math.imul(first ^ (second >>> 15), 0x2c1b3c6d) + Math.imul(second, 0x297a2d39)
  return (hash ^ (hash >>> 15)) >>> 0
}
