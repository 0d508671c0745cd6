import { memoize } from '../collections/memoize.js'
import { StringsBuilder } from '../collections/strings.js'
import { TripleTable } from '../collections/triple-table.js'
import { Uint32List } from '../collections/uint32-list.js'
import { WORDS_EXAMINED } from './languages/detect.js'
import { isStopWordIn, type Language, marksIn, stemIn } from './languages/language.js'
import { arePair, foldWord, type Word, wordsAt } from './text.js'

/**
 * A word of a text is a number: that of its spelling, above two bits. `joined`: only white space or a hyphen separates
 * it from the previous word; `paired`: it is the next character of a script without spaces.
 */
export const JOINED = 1
export const PAIRED = 2
/** The number of the spelling in a packed word. */
export const spellingIn = (word: number): number => word >>> 2

/** Properties of a spelling, as bits; from `LENGTH_BIT` on, the letters of its folded form, at most 4. */
export const CAPITAL = 1
/** Consists of capitals only: "USA" is not a common noun in any context. */
export const ACRONYM = 2
/** Indicates that a capitalised word after it is a common noun. */
export const BEFORE_NOUNS = 4
export const LENGTH_BIT = 3
const MAX_LENGTH = 4

/**
 * The distinct spellings of words in a Safe's texts, numbered, with their stems in each language. A text, stored as the
 * numbers of its spellings, does not depend on the other texts, so it is split into words only once (ADR 17).
 */
export class Lexicon {
  readonly folded = new StringsBuilder()
  readonly stems = new StringsBuilder()
  readonly #spellings = new StringsBuilder()
  /** Spelling → the languages, as bits, in which it is a function word. */
  readonly #marks = new Uint32List()
  /** Two folded forms of a pair, nothing → its stem. */
  readonly #pairs = new TripleTable()
  readonly #pairStems = new Uint32List()
  readonly #languages = new Map<Language, Vocabulary>()
  /** Spelling → the text in which its marks were last counted. */
  readonly #counted = new Uint32List()
  #texts = 0

  /** Spellings, folded forms and stems. */
  get size(): number {
    return this.#spellings.size + this.folded.size + this.stems.size
  }

  /** Bytes of memory. */
  get byteLength(): number {
    let sum = this.#pairs.byteLength + this.#marks.byteLength + this.#counted.byteLength
    for (const strings of [this.folded, this.stems, this.#spellings]) sum += strings.byteLength
    for (const vocabulary of this.#languages.values()) sum += vocabulary.byteLength
    return sum
  }

  add(spelling: string): number {
    const number = this.#spellings.add(spelling)
    if (number === this.#marks.length) {
      this.#marks.push(marksIn(spelling))
      this.#counted.push(0)
    }
    return number
  }

  at(spelling: number): string {
    return this.#spellings.at(spelling)
  }

  /** The words in this language, with room for all spellings so far. */
  in(language: Language): Vocabulary {
    const vocabulary = this.#languages.get(language) ?? new Vocabulary(this, language)
    this.#languages.set(language, vocabulary)
    vocabulary.reserve(this.#spellings.size)
    return vocabulary
  }

  /**
   * The marks of the first of the words `from` … `to` - 1, for `LanguageDetector`. Each word once, because lists, formulas and keyboard
   * shortcuts repeat what may be a word in another language.
   */
  marksOf(words: Uint32Array, from: number, to: number): number[] {
    this.#texts++
    const marks: number[] = []
    const end = Math.min(to, from + WORDS_EXAMINED)
    for (let at = from; at < end; at++) {
      const spelling = spellingIn(words[at] ?? 0)
      if (this.#counted.at(spelling) === this.#texts) continue
      this.#counted.set(spelling, this.#texts)
      marks.push(this.#marks.at(spelling))
    }
    return marks
  }

  /** The stem of a pair of folded forms. */
  pairOf(first: number, second: number): number {
    const pair = this.#pairs.add(first, second, 0)
    if (pair === this.#pairStems.length)
      this.#pairStems.push(this.stems.add(`${this.folded.at(first)}${this.folded.at(second)}`))
    return this.#pairStems.at(pair)
  }
}

/** The spellings of a lexicon in one language. */
export class Vocabulary {
  /** Spelling → its stem + 2; 1 = a stop word, 0 = not looked up yet. */
  stems = new Uint32Array(0)
  /** Spelling → its folded form, and its properties, if it has been looked up. */
  folded = new Uint32Array(0)
  properties = new Uint8Array(0)
  readonly #lexicon: Lexicon
  readonly #language: Language

  constructor(lexicon: Lexicon, language: Language) {
    this.#lexicon = lexicon
    this.#language = language
  }

  /** Bytes of memory. */
  get byteLength(): number {
    return this.stems.byteLength + this.folded.byteLength + this.properties.byteLength
  }

  /** Makes room for this many spellings. */
  reserve(spellings: number): void {
    if (spellings <= this.stems.length) return
    const size = Math.ceil(1.2 * spellings)
    this.stems = enlarged(this.stems, new Uint32Array(size))
    this.folded = enlarged(this.folded, new Uint32Array(size))
    this.properties = enlarged(this.properties, new Uint8Array(size))
  }

  /** Looks up a spelling, and returns its stem as in `stems`. */
  lookUp(spelling: number): number {
    const word = this.#lexicon.at(spelling)
    const folded = foldWord(this.#language.bare(word))
    const isCapital = /^\p{Lu}/u.test(word)
    const properties =
      (isCapital ? CAPITAL : 0) |
      (isCapital && word === word.toUpperCase() ? ACRONYM : 0) |
      (!isCapital && this.#language.beforeNouns(folded) ? BEFORE_NOUNS : 0)
    const isStop = isStopWordIn(this.#language, folded)
    const stem = isStop ? 1 : this.#lexicon.stems.add(stemIn(this.#language, word)) + 2
    this.stems[spelling] = stem
    this.folded[spelling] = this.#lexicon.folded.add(folded)
    this.properties[spelling] = properties | (Math.min(folded.length, MAX_LENGTH) << LENGTH_BIT)
    return stem
  }
}

function enlarged<List extends Uint32Array | Uint8Array>(list: List, larger: List): List {
  larger.set(list)
  return larger
}

/** Spellings cached while texts are read. */
const CACHE_SIZE = 200_000

/** Splits texts into words. */
export class WordReader {
  readonly #numberOf: (spelling: string) => number

  constructor(lexicon: Lexicon) {
    this.#numberOf = memoize(spelling => lexicon.add(spelling), { most: CACHE_SIZE })
  }

  /** Appends the words of a text to `words` and returns their count. */
  read(text: string, words: Uint32List): number {
    const found = wordsAt(text)
    let previous: Word | undefined
    for (const word of found) {
      const isJoined = isJoint(text, previous?.end ?? 0, word.start)
      words.push(
        this.#numberOf(word.text) * 4 + (isJoined ? JOINED : 0) + (arePair(previous, word) ? PAIRED : 0),
      )
      previous = word
    }
    return found.length
  }
}

function isJoint(text: string, from: number, to: number): boolean {
  return from === to || (to - from === 1 && text[from] === ' ') || /^[\s-]*$/.test(text.slice(from, to))
}
