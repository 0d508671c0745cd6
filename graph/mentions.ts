import type { DictionaryBuilder } from './dictionary.js'
import { type Groups, itemsOf, sizeOf } from './groups.js'
import { StringsBuilder } from './strings.js'
import { isStopWord } from './text.js'
import { Uint32List } from './uint32-list.js'

/** Words of the longest name looked for in texts (GRAPH §2). */
const longestMention = 8
/** Letters of the shortest single word that counts as a name. */
const shortestName = 4
/** Entities that a name can have in common and still say something. */
const maxMeanings = 8

/** A word of a passage. */
export interface PassageWord {
  folded: string
  capital: boolean
  /** Whether nothing but white space or a hyphen stands between it and the word before. */
  joined: boolean
}

/**
 * Finds in texts, without a model, what they mention: the longest known names, and capitalised phrases, which become
 * entities of their own when more than one passage has them (GRAPH §2).
 */
export class MentionFinder {
  /** Capitalised phrases that are no known names, and how many passages have each. */
  readonly phrases = new StringsBuilder()
  readonly passagesOf = new Uint32List()
  /** Of each mention: its passage; the entity, or the phrase + `phraseFlag`; its first word; the names it shares. */
  readonly passage = new Uint32List()
  readonly target = new Uint32List()
  readonly at = new Uint32List()
  readonly shared = new Uint32List()
  readonly #names: StringsBuilder
  readonly #meanings: Groups
  /** Word → words of the longest name that begins with it. */
  readonly #longest = new Map<string, number>()

  constructor(names: DictionaryBuilder, meanings: Groups) {
    this.#names = names.phrases
    this.#meanings = meanings
    for (let name = 0; name < this.#names.size; name++) {
      const parts = this.#names.at(name).split(' ')
      const [first = ''] = parts
      if (parts.length > longestMention || (parts.length === 1 && first.length < shortestName)) continue
      this.#longest.set(first, Math.max(this.#longest.get(first) ?? 0, parts.length))
    }
  }

  /** Notes the mentions of the next passage, which is about `own`. */
  read(passage: number, own: number, text: readonly PassageWord[]): void {
    const seen = new Set<number>()
    let run = 0
    for (let at = 0; at < text.length; ) {
      const name = this.#nameAt(text, at)
      const word = text[at]
      const isCapital = name === null && word?.capital === true
      const goesOn = isCapital && (run === at || (word.joined && at - run < longestMention))
      if (!goesOn) {
        this.#addPhrase(passage, text, run, at, seen)
        run = isCapital ? at : at + (name?.length ?? 1)
      }
      if (name !== null) this.#addName(passage, own, name.number, at)
      at += name?.length ?? 1
    }
    this.#addPhrase(passage, text, run, text.length, seen)
  }

  /** The longest known name that begins here. */
  #nameAt(text: readonly PassageWord[], at: number): { number: number; length: number } | null {
    const first = text[at]?.folded ?? ''
    const longest = Math.min(this.#longest.get(first) ?? 0, text.length - at)
    for (let length = longest; length > 0; length--) {
      if (length === 1 && (first.length < shortestName || isStopWord(first))) return null
      let phrase = first
      for (let next = at + 1; next < at + length; next++) phrase += ` ${text[next]?.folded ?? ''}`
      const number = this.#names.find(phrase)
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
  #addPhrase(
    passage: number,
    text: readonly PassageWord[],
    from: number,
    to: number,
    seen: Set<number>,
  ): void {
    let [first, end] = [from, to]
    while (first < end && isStopWord(text[first]?.folded ?? '')) first++
    while (end > first && isStopWord(text[end - 1]?.folded ?? '')) end--
    if (first === end) return
    let phrase = text[first]?.folded ?? ''
    for (let at = first + 1; at < end; at++) phrase += ` ${text[at]?.folded ?? ''}`
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
    this.at.push(Math.min(at, 0xffff))
    this.shared.push(shared)
  }
}

/** Added to the numbers of phrases, to tell them from entities. */
export const phraseFlag = 0x8000_0000
