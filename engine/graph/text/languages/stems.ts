import { memoize } from '../../collections/memoize.js'
import { foldWord, wordsAt } from '../text.js'
import { fromCodes } from './detect.js'
import { english, isStopWordIn, type Language, stemIn } from './language.js'

/** The distinct stems of a word, as written, in each of these languages, in their order. */
export function stemsIn(known: readonly Language[], word: string): string[] {
  const [only] = known
  if (only && known.length === 1) return [stemIn(only, word)]
  return [...new Set(known.map(language => stemIn(language, word)))]
}

/** Reads stems in some languages and caches those of `most` words. The first language has the stop words. */
export class StemReader {
  readonly languages: readonly Language[]
  /** The distinct stems of a word, as written, in each language. */
  readonly stemsOf: (word: string) => readonly string[]
  readonly #termsOf: (word: string) => readonly string[]

  constructor(languages: readonly Language[], most?: number) {
    const [main = english, ...others] = languages
    this.languages = languages
    this.stemsOf = memoize(word => stemsIn([main, ...others], word), { most })
    this.#termsOf = memoize(word => (isStopWordIn(main, foldWord(word)) ? [] : this.stemsOf(word)), { most })
  }

  /** The stems of each word in a text, without stop words. */
  termsIn(text: string): (readonly string[])[] {
    return wordsAt(text)
      .map(({ text }) => this.#termsOf(text))
      .filter(stems => stems.length > 0)
  }
}

/** Sets of languages cached at once. */
const MAX_CACHES = 8

/** For questions to indexes with some languages, given by their codes. */
export class StemCaches {
  readonly #readers = new Map<string, StemReader>()

  of(codes: string): StemReader {
    const known = this.#readers.get(codes)
    if (known) return known
    if (this.#readers.size >= MAX_CACHES) this.#readers.clear()
    const reader = new StemReader(fromCodes(codes))
    this.#readers.set(codes, reader)
    return reader
  }
}
