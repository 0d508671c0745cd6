import { type Groups, itemsOf, sizeOf } from '../collections/groups.js'
import { hashOf, ownHashKey } from '../collections/hash.js'
import { StringsBuilder } from '../collections/strings.js'
import { Uint32List } from '../collections/uint32-list.js'
import type { Lexeme, PassageWords } from '../text/lexicon.js'
import type { DictionaryBuilder } from './dictionary.js'
import { addOpening, canOpen, emptyOpenings } from './openings.js'
import { lastPlace } from './safe-index.js'

/** Words of the longest name searched for in texts (GRAPH §2). */
const longestMention = 8
/** Letters of the shortest single word that counts as a name. */
const shortestName = 4
/** Entities that a name may share and still be informative; `Mentions` has no room for more. */
const maxMeanings = 8

/**
 * Finds mentions in texts without a model: the longest known names, and capitalised phrases, which become
 * entities of their own when several passages contain them (GRAPH §2).
 */
export class MentionFinder {
  /** Capitalised phrases that are not known names, with their number of passages. */
  readonly phrases = new StringsBuilder()
  readonly passagesOf = new Uint32List()
  /** How many of these follow a word that indicates a common noun, in languages that capitalise nouns. */
  readonly nounsOf = new Uint32List()
  /**
   * Stems of each phrase's words where it was first found; -1 for a stop word. They end before the next
   * `start`.
   */
  readonly #stems: number[] = []
  readonly #starts: number[] = []
  /** For each mention: its passage; the entity, or the phrase + `phraseFlag`; its place as in `Mentions`. */
  readonly passage = new Uint32List()
  readonly target = new Uint32List()
  readonly place = new Uint32List()
  readonly #names: StringsBuilder
  readonly #meanings: Groups
  /** Word → length in words of the longest name that begins with it. */
  readonly #longest = new Map<string, number>()
  /** The pairs of words that can begin a name. */
  readonly #pairs: Uint8Array

  constructor(names: DictionaryBuilder, meanings: Groups) {
    this.#names = names.phrases
    this.#meanings = meanings
    this.#pairs = emptyOpenings(this.#names.size)
    for (let name = 0; name < this.#names.size; name++) {
      const parts = this.#names.at(name).split(' ')
      const [first = '', second] = parts
      if (parts.length > longestMention || (parts.length === 1 && first.length < shortestName)) continue
      this.#longest.set(first, Math.max(this.#longest.get(first) ?? 0, parts.length))
      if (second === undefined) continue
      addOpening(this.#pairs, hashOf(first, ownHashKey), hashOf(second, ownHashKey))
    }
  }

  /** Length in words of the longest name that begins with this one. */
  longestFrom(word: string): number {
    return this.#longest.get(word) ?? 0
  }

  /** Records the mentions in the next passage, which is about `own`. */
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
    const goesOn = second !== undefined && first.longest > 1 && canOpen(this.#pairs, first.hash, second.hash)
    for (let length = goesOn ? Math.min(first.longest, text.length - at) : 1; length > 0; length--) {
      if (length === 1 && (first.folded.length < shortestName || first.term < 0)) return null
      const number = this.#names.find(phraseOf(text, at, at + length))
      if (number >= 0) return { number, length }
    }
    return null
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
    if (number === this.passagesOf.length) {
      this.passagesOf.push(0)
      this.nounsOf.push(0)
      this.#starts.push(this.#stems.length)
      for (let at = first; at < end; at++) this.#stems.push(text[at]?.term ?? -1)
    }
    if (!seen.has(number)) {
      this.passagesOf.set(number, this.passagesOf.at(number) + 1)
      const isNoun = first > 0 && text[first - 1]?.beforeNouns === true && text[first]?.acronym === false
      if (isNoun) this.nounsOf.set(number, this.nounsOf.at(number) + 1)
    }
    seen.add(number)
    this.#push(passage, phraseFlag + number, first, 1)
  }

  /** The stems of a phrase's words, by number; -1 for a stop word. */
  stemsOf(phrase: number): number[] {
    return this.#stems.slice(this.#starts[phrase], this.#starts[phrase + 1])
  }

  #push(passage: number, target: number, at: number, shared: number): void {
    this.passage.push(passage)
    this.target.push(target)
    this.place.push(Math.min(at, lastPlace) * 8 + shared - 1)
  }
}

/** Distinguishes the numbers of phrases from those of entities. */
export const phraseFlag = 0x8000_0000

function phraseOf(text: readonly Lexeme[], from: number, to: number): string {
  let phrase = text[from]?.folded ?? ''
  for (let at = from + 1; at < to; at++) phrase += ` ${text[at]?.folded ?? ''}`
  return phrase
}
