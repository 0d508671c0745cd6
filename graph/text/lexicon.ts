import { hashOf, ownHashKey } from '../collections/hash.js'
import { LanguageDetector } from './languages/detect.js'
import { english, isStopWordIn, type Language, marksIn, stemIn } from './languages/language.js'
import { arePair, foldWord, type Word, wordsAt } from './text.js'

/** Properties of a word, independent of its position. */
export interface Lexeme {
  folded: string
  hash: number
  /** Whether it is capitalised like a name. */
  capital: boolean
  /** The number of its stem; -1 for a stop word. */
  term: number
  /** Length in words of the longest name that begins with it, or 0. */
  longest: number
  /** Whether it consists of capitals only: "USA" is not a common noun in any context. */
  acronym: boolean
  /** Whether it indicates that a capitalised word after it is a common noun. */
  beforeNouns: boolean
  /** The languages, as bits, in which it is a function word. */
  marks: number
}

/** A passage as words. */
export interface PassageWords {
  lexemes: Lexeme[]
  /** For each word, whether only white space or a hyphen separates it from the previous word. */
  joined: boolean[]
  /** For adjacent characters of a script without spaces, the number of the stem they form. */
  pairs: number[]
}

/** Words cached per language; texts with more are read more slowly. */
const most = 200_000

/**
 * Splits passages into words, each passage in its own language (ADR 25). Properties of words are cached per
 * language.
 */
export class Lexicon {
  readonly #known = new Map<Language, Map<string, Lexeme>>()
  readonly #detector = new LanguageDetector()
  readonly #termOf: (stem: string) => number
  readonly #longestOf: (folded: string) => number
  /** The language of the previous passage, and most likely of the next. */
  #language = english

  constructor(termOf: (stem: string) => number, longestOf: (folded: string) => number) {
    this.#termOf = termOf
    this.#longestOf = longestOf
  }

  read(text: string): PassageWords {
    const words = wordsAt(text)
    const lexemes = this.#lexemes(words)
    const language = this.#detector.next(lexemes)
    const known = language === this.#language
    this.#language = language
    const read = known ? lexemes : this.#lexemes(words)
    return { lexemes: read, joined: jointsOf(text, words), pairs: this.#pairsOf(words, read) }
  }

  /** The stems, by number, of a text in the language of the last passage: its title. */
  termsOf(text: string): number[] {
    const words = wordsAt(text)
    const lexemes = this.#lexemes(words)
    return [...lexemes.map(({ term }) => term), ...this.#pairsOf(words, lexemes)]
  }

  /** The languages of the passages, the most frequent first. */
  languages(): Language[] {
    return this.#detector.languages()
  }

  #pairsOf(words: readonly Word[], lexemes: readonly Lexeme[]): number[] {
    const pairs: number[] = []
    for (const [at, word] of words.entries()) {
      if (!arePair(words[at - 1], word)) continue
      pairs.push(this.#termOf(`${lexemes[at - 1]?.folded}${lexemes[at]?.folded}`))
    }
    return pairs
  }

  #lexemes(words: readonly Word[]): Lexeme[] {
    const known = this.#known.get(this.#language) ?? new Map<string, Lexeme>()
    this.#known.set(this.#language, known)
    return words.map(({ text }) => {
      const before = known.get(text)
      if (before) return before
      const lexeme = this.#lexemeOf(text)
      if (known.size >= most) known.clear()
      known.set(text, lexeme)
      return lexeme
    })
  }

  #lexemeOf(word: string): Lexeme {
    const folded = foldWord(this.#language.bare(word))
    const capital = /^\p{Lu}/u.test(word)
    const isStop = isStopWordIn(this.#language, folded)
    return {
      folded,
      hash: hashOf(folded, ownHashKey),
      capital,
      acronym: capital && word === word.toUpperCase(),
      beforeNouns: !capital && this.#language.beforeNouns(folded),
      term: isStop ? -1 : this.#termOf(stemIn(this.#language, word)),
      longest: this.#longestOf(folded),
      marks: marksIn(word),
    }
  }
}

function jointsOf(text: string, words: readonly Word[]): boolean[] {
  let last = 0
  return words.map(({ start, end }) => {
    const joint = isJoint(text, last, start)
    last = end
    return joint
  })
}

function isJoint(text: string, from: number, to: number): boolean {
  return from === to || (to - from === 1 && text[from] === ' ') || /^[\s-]*$/.test(text.slice(from, to))
}
