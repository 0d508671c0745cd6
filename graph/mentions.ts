import type { DictionaryBuilder } from './dictionary.js'
import { type Groups, itemsOf, sizeOf } from './groups.js'
import type { Lexeme, PassageWords } from './lexicon.js'
import { lastPlace } from './safe-index.js'
import { hashOf, StringsBuilder } from './strings.js'
import { Uint32List } from './uint32-list.js'

/** Words of the longest name looked for in texts (GRAPH §2). */
const longestMention = 8
/** Letters of the shortest single word that counts as a name. */
const shortestName = 4
/** Entities that a name can have in common and still say something; `Mentions` has room for no more. */
const maxMeanings = 8

/**
 * Finds in texts, without a model, what they mention: the longest known names, and capitalised phrases, which become
 * entities of their own when more than one passage has them (GRAPH §2).
 */
export class MentionFinder {
  /** Capitalised phrases that are no known names, and how many passages have each. */
  readonly phrases = new StringsBuilder()
  readonly passagesOf = new Uint32List()
  /** Of each mention: its passage; the entity, or the phrase + `phraseFlag`; its place as in `Mentions`. */
  readonly passage = new Uint32List()
  readonly target = new Uint32List()
  readonly place = new Uint32List()
  readonly #names: StringsBuilder
  readonly #meanings: Groups
  /** Word → words of the longest name that begins with it. */
  readonly #longest = new Map<string, number>()
  /** Which pairs of words can begin a name, as bits: nearly all others are told without looking them up (Bloom 1970). */
  readonly #pairs: Uint8Array

  constructor(names: DictionaryBuilder, meanings: Groups) {
    this.#names = names.phrases
    this.#meanings = meanings
    this.#pairs = new Uint8Array(2 ** Math.ceil(Math.log2(2 * this.#names.size + 1024)))
    for (let name = 0; name < this.#names.size; name++) {
      const parts = this.#names.at(name).split(' ')
      const [first = '', second] = parts
      if (parts.length > longestMention || (parts.length === 1 && first.length < shortestName)) continue
      this.#longest.set(first, Math.max(this.#longest.get(first) ?? 0, parts.length))
      if (second === undefined) continue
      const pair = pairOf(hashOf(first), hashOf(second))
      const place = (pair >>> 3) & (this.#pairs.length - 1)
      this.#pairs[place] = (this.#pairs[place] ?? 0) | (1 << (pair & 7))
    }
  }

  /** Words of the longest name that begins with this one. */
  longestFrom(word: string): number {
    return this.#longest.get(word) ?? 0
  }

  /** Notes the mentions of the next passage, which is about `own`. */
  read(passage: number, own: number, { lexemes, joined }: PassageWords): void {
    const seen = new Set<number>()
    let run = 0
    for (let at = 0; at < lexemes.length; ) {
      const name = this.#nameAt(lexemes, at)
      const isCapital = name === null && lexemes[at]?.capital === true
      const goesOn = isCapital && (run === at || (joined[at] === true && at - run < longestMention))
      if (!goesOn) {
        this.#addPhrase(passage, lexemes, run, at, seen)
        run = isCapital ? at : at + (name?.length ?? 1)
      }
      if (name !== null) this.#addName(passage, own, name.number, at)
      at += name?.length ?? 1
    }
    this.#addPhrase(passage, lexemes, run, lexemes.length, seen)
  }

  /** The longest known name that begins here. */
  #nameAt(text: readonly Lexeme[], at: number): { number: number; length: number } | null {
    const [first, second] = [text[at], text[at + 1]]
    if (first === undefined || first.longest === 0) return null
    const goesOn = second !== undefined && first.longest > 1 && this.#canBegin(first, second)
    for (let length = goesOn ? Math.min(first.longest, text.length - at) : 1; length > 0; length--) {
      if (length === 1 && (first.folded.length < shortestName || first.term < 0)) return null
      const number = this.#names.find(phraseOf(text, at, at + length))
      if (number >= 0) return { number, length }
    }
    return null
  }

  #canBegin(first: Lexeme, second: Lexeme): boolean {
    const pair = pairOf(first.hash, second.hash)
    return (((this.#pairs[(pair >>> 3) & (this.#pairs.length - 1)] ?? 0) >>> (pair & 7)) & 1) === 1
  }

  #addName(passage: number, own: number, name: number, at: number): void {
    const meanings = sizeOf(this.#meanings, name)
    if (meanings > maxMeanings) return
    for (const meaning of itemsOf(this.#meanings, name)) {
      if (meaning >>> 1 !== own) this.#push(passage, meaning >>> 1, at, meanings)
    }
  }

  /** Words `from` … `to` - 1 without stop words at both ends. */
  #addPhrase(passage: number, text: readonly Lexeme[], from: number, to: number, seen: Set<number>): void {
    let [first, end] = [from, to]
    while (first < end && text[first]?.term === -1) first++
    while (end > first && text[end - 1]?.term === -1) end--
    if (first === end) return
    const phrase = phraseOf(text, first, end)
    if (phrase.length < shortestName) return
    const number = this.phrases.add(phrase)
    if (number === this.passagesOf.length) this.passagesOf.push(0)
    if (!seen.has(number)) this.passagesOf.set(number, this.passagesOf.at(number) + 1)
    seen.add(number)
    this.#push(passage, phraseFlag + number, first, 1)
  }

  #push(passage: number, target: number, at: number, shared: number): void {
    this.passage.push(passage)
    this.target.push(target)
    this.place.push(Math.min(at, lastPlace) * 8 + shared - 1)
  }
}

/** Added to the numbers of phrases, to tell them from entities. */
export const phraseFlag = 0x8000_0000

function phraseOf(text: readonly Lexeme[], from: number, to: number): string {
  let phrase = text[from]?.folded ?? ''
  for (let at = from + 1; at < to; at++) phrase += ` ${text[at]?.folded ?? ''}`
  return phrase
}

function pairOf(first: number, second: number): number {
  const hash = Math.imul(first ^ (second >>> 15), 0x2c1b3c6d) + Math.imul(second, 0x297a2d39)
  return (hash ^ (hash >>> 15)) >>> 0
}
