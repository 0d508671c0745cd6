import { hashOf } from './strings.js'
import { foldWord, wordsAt } from './text.js'

/** What is known of a word, wherever it stands. */
export interface Lexeme {
  folded: string
  hash: number
  /** Whether it is written like a name. */
  capital: boolean
  /** The number of its stem; -1 for a stop word. */
  term: number
  /** Words of the longest name that begins with it; 0 if none does. */
  longest: number
}

/** A passage as words. */
export interface PassageWords {
  lexemes: Lexeme[]
  /** Of each word, whether nothing but white space or a hyphen stands between it and the word before. */
  joined: boolean[]
}

/** Words remembered; texts that have more are read more slowly. */
const most = 200_000

/** Remembers what is known of each word of the passages, so that it is worked out once. */
export class Lexicon {
  readonly #known = new Map<string, Lexeme>()
  readonly #termOf: (folded: string) => number
  readonly #longestOf: (folded: string) => number

  constructor(termOf: (folded: string) => number, longestOf: (folded: string) => number) {
    this.#termOf = termOf
    this.#longestOf = longestOf
  }

  read(text: string): PassageWords {
    const read: PassageWords = { lexemes: [], joined: [] }
    let last = 0
    for (const { text: word, start, end } of wordsAt(text)) {
      read.lexemes.push(this.#of(word))
      read.joined.push(isJoint(text, last, start))
      last = end
    }
    return read
  }

  #of(word: string): Lexeme {
    const known = this.#known.get(word)
    if (known) return known
    const folded = foldWord(word)
    const lexeme = {
      folded,
      hash: hashOf(folded),
      capital: /^\p{Lu}/u.test(word),
      term: this.#termOf(folded),
      longest: this.#longestOf(folded),
    }
    if (this.#known.size >= most) this.#known.clear()
    this.#known.set(word, lexeme)
    return lexeme
  }
}

function isJoint(text: string, from: number, to: number): boolean {
  return from === to || (to - from === 1 && text[from] === ' ') || /^[\s-]*$/.test(text.slice(from, to))
}
