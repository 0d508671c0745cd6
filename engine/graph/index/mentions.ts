import { type Groups, itemsOf } from '../collections/groups.js'
import type { StringsBuilder } from '../collections/strings.js'
import { TripleTable } from '../collections/triple-table.js'
import { Uint32List } from '../collections/uint32-list.js'
import { ACRONYM, BEFORE_NOUNS, CAPITAL, LENGTH_BIT } from '../text/lexicon.js'
import type { DictionaryBuilder } from './dictionary.js'
import type { KnownNames } from './known-names.js'
import { MAX_MENTION_LENGTH, MIN_NAME_LENGTH, type PassageWords } from './passage-words.js'
import { LAST_PLACE } from './safe-index.js'

/** Entities that a name may share and still be informative; `Mentions` has no room for more. */
export const MAX_MEANINGS = 8

/**
 * Finds mentions in texts without a model: the longest known names, and capitalised phrases, which become
 * entities of their own when several passages contain them (GRAPH §2).
 */
export class MentionFinder {
  /** For each capitalised phrase that is not a known name, its number of passages. */
  readonly passagesOf = new Uint32List()
  /** How many of these follow a word that indicates a common noun, in languages that capitalise nouns. */
  readonly nounsOf = new Uint32List()
  /** The last passage with it + 1. */
  readonly #lastOf = new Uint32List()
  /** The words of each phrase, and their stems where it was first found. They end before the next `start`. */
  readonly #folded: number[] = []
  readonly #stems: number[] = []
  readonly #starts: number[] = []
  /** For each mention: its passage; the entity, or the phrase + `PHRASE_FLAG`; its place as in `Mentions`. */
  readonly passage = new Uint32List()
  readonly target = new Uint32List()
  readonly place = new Uint32List()
  readonly #meanings: Groups
  readonly #words: StringsBuilder
  readonly #known: KnownNames | null
  readonly #names = new WordTree()
  readonly #phrases = new WordTree()
  /** Word → length in words of the longest name that begins with it. */
  readonly #longest: Uint8Array

  /** `words` are the folded forms of the lexicon, `known` the names of an index that these texts are added to. */
  constructor(
    names: DictionaryBuilder,
    meanings: Groups,
    words: StringsBuilder,
    known: KnownNames | null = null,
  ) {
    this.#known = known
    this.#meanings = meanings
    this.#words = words
    const longest = new Map<number, number>()
    for (let name = 0; name < names.phrases.size; name++) {
      const parts = names.phrases.at(name).split(' ')
      const [first = ''] = parts
      if (parts.length > MAX_MENTION_LENGTH || (parts.length === 1 && first.length < MIN_NAME_LENGTH))
        continue
      let node = 0
      for (const part of parts) node = this.#names.add(node, words.add(part))
      this.#names.setEnd(node, name)
      const word = words.add(first)
      longest.set(word, Math.max(longest.get(word) ?? 0, parts.length))
    }
    this.#longest = new Uint8Array(words.size)
    for (const [word, length] of longest) this.#longest[word] = length
  }

  get phrases(): number {
    return this.passagesOf.length
  }

  /** Records the mentions in the next passage, which is about `own`. */
  read(passage: number, own: number, text: PassageWords): void {
    const { length, properties, joined } = text
    let run = 0
    for (let at = 0; at < length; ) {
      const name = this.#longestAt(text, at)
      const isCapital = name === null && ((properties[at] ?? 0) & CAPITAL) !== 0
      const goesOn = isCapital && (run === at || (joined[at] === 1 && at - run < MAX_MENTION_LENGTH))
      if (!goesOn) {
        if (run < at) this.#addPhrase(passage, text, run, at)
        run = isCapital ? at : at + (name?.length ?? 1)
      }
      if (name !== null) this.#addName(passage, own, name, at)
      at += name?.length ?? 1
    }
    this.#addPhrase(passage, text, run, length)
  }

  /** The longest name that begins here, also of those known before. `number`: -1, `known`: none, if it is not among them. */
  #longestAt(text: PassageWords, at: number): TextName | null {
    const own = (this.#longest[text.folded[at] ?? 0] ?? 0) === 0 ? null : this.#nameAt(text, at)
    const known = this.#known?.at(text, at, (own?.length ?? 1) - 1) ?? null
    if (known === null) return own
    const isBoth = own?.length === known.length
    return { length: known.length, known: known.meanings, number: isBoth ? own.number : -1 }
  }

  /** The longest name of these rows that begins here. */
  #nameAt({ length, folded, properties, terms }: PassageWords, at: number): TextName | null {
    const end = Math.min(length, at + (this.#longest[folded[at] ?? 0] ?? 0))
    let found: TextName | null = null
    let node = 0
    for (let next = at; next < end; next++) {
      node = this.#names.next(node, folded[next] ?? 0)
      if (node === 0) break
      const number = this.#names.endOf(node)
      const isTooShort =
        next === at && ((properties[at] ?? 0) >>> LENGTH_BIT < MIN_NAME_LENGTH || terms[at] === -1)
      if (number >= 0 && !isTooShort) found = { number, length: next + 1 - at, known: NONE }
    }
    return found
  }

  #addName(passage: number, own: number, { number, known }: TextName, at: number): void {
    const items = number < 0 ? [] : itemsOf(this.#meanings, number)
    const others =
      known.length === 0 ? NONE : known.filter(entity => !items.some(item => item >>> 1 === entity))
    const meanings = items.length + others.length
    if (meanings > MAX_MEANINGS) return
    for (const item of items) if (item >>> 1 !== own) this.#push(passage, item >>> 1, at, meanings)
    for (const entity of others) if (entity !== own) this.#push(passage, entity, at, meanings)
  }

  /** Words `from` … `to` - 1 without stop words at both ends. */
  #addPhrase(passage: number, text: PassageWords, from: number, to: number): void {
    const { folded, properties, terms } = text
    let [first, end] = [from, to]
    while (first < end && terms[first] === -1) first++
    while (end > first && terms[end - 1] === -1) end--
    if (first === end) return
    let letters = end - first - 1
    for (let at = first; at < end; at++) letters += (properties[at] ?? 0) >>> LENGTH_BIT
    if (letters < MIN_NAME_LENGTH) return
    let node = 0
    for (let at = first; at < end; at++) node = this.#phrases.add(node, folded[at] ?? 0)
    const phrase = this.#phraseAt(node, text, first, end)
    if (this.#lastOf.at(phrase) !== passage + 1) {
      this.#lastOf.set(phrase, passage + 1)
      this.passagesOf.set(phrase, this.passagesOf.at(phrase) + 1)
      const before = first > 0 ? (properties[first - 1] ?? 0) : 0
      const isNoun = (before & BEFORE_NOUNS) !== 0 && ((properties[first] ?? 0) & ACRONYM) === 0
      if (isNoun) this.nounsOf.set(phrase, this.nounsOf.at(phrase) + 1)
    }
    this.#push(passage, PHRASE_FLAG + phrase, first, 1)
  }

  #phraseAt(node: number, { folded, terms }: PassageWords, from: number, to: number): number {
    const known = this.#phrases.endOf(node)
    if (known >= 0) return known
    const phrase = this.phrases
    this.#phrases.setEnd(node, phrase)
    this.passagesOf.push(0)
    this.nounsOf.push(0)
    this.#lastOf.push(0)
    this.#starts.push(this.#stems.length)
    for (let at = from; at < to; at++) {
      this.#folded.push(folded[at] ?? 0)
      this.#stems.push(terms[at] ?? -1)
    }
    return phrase
  }

  /** The stems of a phrase's words, by number; -1 for a stop word. */
  stemsOf(phrase: number): number[] {
    return this.#stems.slice(this.#starts[phrase], this.#starts[phrase + 1])
  }

  /** The words of a phrase. */
  wordsOf(phrase: number): string[] {
    const words = this.#folded.slice(this.#starts[phrase], this.#starts[phrase + 1])
    return words.map(word => this.#words.at(word))
  }

  #push(passage: number, target: number, at: number, shared: number): void {
    this.passage.push(passage)
    this.target.push(target)
    this.place.push(Math.min(at, LAST_PLACE) * 8 + shared - 1)
  }
}

const NONE: readonly number[] = []

/** A name in a text: its number, entities that it was known for before, and its length in words. */
interface TextName {
  number: number
  known: readonly number[]
  length: number
}

/** Distinguishes the numbers of phrases from those of entities. */
export const PHRASE_FLAG = 0x8000_0000

/** Sequences of words that share their beginnings (a trie); nodes are numbered from 0, the root. */
class WordTree {
  /** Node, word, nothing: the child is the number of this edge + 1. */
  readonly #edges = new TripleTable()
  /** Node → what ends there + 1, or 0. */
  readonly #ends = new Uint32List()

  constructor() {
    this.#ends.push(0)
  }

  add(node: number, word: number): number {
    const child = this.#edges.add(node, word, 0) + 1
    if (child === this.#ends.length) this.#ends.push(0)
    return child
  }

  /** The child of a node, or 0. */
  next(node: number, word: number): number {
    return this.#edges.find(node, word, 0) + 1
  }

  setEnd(node: number, end: number): void {
    this.#ends.set(node, end + 1)
  }

  /** What ends at this node, or -1. */
  endOf(node: number): number {
    return this.#ends.at(node) - 1
  }
}
