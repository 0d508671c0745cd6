import { type AskedWord, foldWord, memoize, stem } from '../../../../engine/graph/index.js'

const WORD = /[\p{L}\p{N}]+/gu
const ASCII_WORD = /[A-Za-z0-9]+/g
const ASCII = /^\p{ASCII}*$/u
/** Scripts without spaces between words. */
const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]/
/** The bit that makes an ASCII letter lower case. */
const LOWER = 0x20
/** Minimum letters of a stem that a longer word may begin with, and maximum letters that may follow. */
const MIN_STEM = 4
const MAX_ENDING = 4
/** Minimum letters of a part of a compound. */
const MIN_PART = 5

/** The words of a text as written. */
export const wordsOf = (text: string): readonly string[] =>
  text.match(ASCII.test(text) ? ASCII_WORD : WORD) ?? []

/** Words in lower case, each between blanks. */
export const spaced = (words: readonly string[]) => ` ${words.join(' ').toLowerCase()} `

/** The forms of a word: folded, and its English stem. The words of notes repeat from question to question. */
const formsOf = memoize((written: string) => [foldWord(written), stem(foldWord(written))] as const, {
  most: 20_000,
})

/** Pairs of neighbouring words that count. */
const MAX_PAIRS = 3

/** Finds the words of a question in texts, in any inflection. A set of words is a number with one bit per word. */
export class Asked {
  readonly #words: readonly AskedWord[]
  readonly #known = new Map<string, number>()
  /** The beginnings of words that are searched for. */
  readonly #initials = new Set<number>()
  readonly #unspaced: [stem: string, bit: number][] = []
  /** Neighbouring words of the question. */
  readonly #pairs: ReadonlySet<string>

  constructor(words: readonly AskedWord[], question = '') {
    this.#words = words
    const written = wordsOf(question)
    this.#pairs = new Set(written.slice(1).map((word, at) => spaced([written[at] ?? '', word])))
    for (const [at, { stems }] of words.entries())
      for (const one of stems) {
        this.#initials.add(one.charCodeAt(0) | LOWER)
        if (UNSPACED.test(one)) this.#unspaced.push([one, 1 << at])
      }
  }

  /** The words found in a text; `words`: its `wordsOf`, if known. */
  in(text: string, words: readonly string[] = wordsOf(text)): number {
    let mask = 0
    for (const word of words) {
      if (!this.#initials.has(word.charCodeAt(0) | LOWER) && word.charCodeAt(0) < 128) continue
      let bits = this.#known.get(word)
      if (bits === undefined) {
        bits = this.#bitsOf(word)
        this.#known.set(word, bits)
      }
      mask |= bits
    }
    for (const [one, bit] of this.#unspaced) if (text.includes(one)) mask |= bit
    return mask
  }

  /** The share of `MAX_PAIRS` pairs of neighbouring words that a text has as well, which is given `spaced`. */
  pairsIn(text: string): number {
    let count = 0
    for (const pair of this.#pairs) if (count < MAX_PAIRS && text.includes(pair)) count++
    return count / MAX_PAIRS
  }

  /** The weight of a set of words, 0 … 1. */
  worth(mask: number): number {
    let sum = 0
    for (let at = 0, left = mask; left !== 0; at++, left >>>= 1)
      if (left & 1) sum += this.#words[at]?.worth ?? 0
    return sum
  }

  #bitsOf(written: string): number {
    const [word, own] = formsOf(written)
    let bits = 0
    for (const [at, { stems }] of this.#words.entries())
      if (stems.some(one => one === own || one === word || isInflected(word, one) || isCompound(word, one)))
        bits |= 1 << at
    return bits
  }
}

const isInflected = (word: string, one: string) =>
  one.length >= MIN_STEM && word.length <= one.length + MAX_ENDING && word.startsWith(one)

/** Whether a word is a compound with this one: "Preisgeld" with "Preis". */
const isCompound = (word: string, one: string) => one.length >= MIN_PART && word.startsWith(one)
