import { memoize } from '../../collections/memoize.js'
import { foldWord, wordsAt } from '../text.js'
import { fromCodes } from './detect.js'
import { english, isStopWordIn, type Language } from './language.js'
import { stemsIn } from './stems.js'

/** Sets of languages cached at once. */
const MAX_CACHES = 8

/** `stemsIn` and `termsIn` for questions, with a cache per set of languages. */
export class StemCaches {
  readonly #caches = new Map<string, StemCache>()

  /** For questions to indexes with these languages, given by their codes. */
  of(codes: string): StemCache {
    const known = this.#caches.get(codes)
    if (known) return known
    if (this.#caches.size >= MAX_CACHES) this.#caches.clear()
    const cache = new StemCache(fromCodes(codes))
    this.#caches.set(codes, cache)
    return cache
  }
}

class StemCache {
  readonly languages: readonly Language[]
  /** The distinct stems of a word, as written, in each language. */
  readonly stemsOf: (word: string) => readonly string[]
  readonly #isStop: (word: string) => boolean

  constructor(languages: readonly Language[]) {
    const [main = english, ...others] = languages
    this.languages = languages
    this.stemsOf = memoize(word => stemsIn([main, ...others], word))
    this.#isStop = memoize(word => isStopWordIn(main, foldWord(word)))
  }

  /** The stems of each word in a text, without stop words. */
  termsIn(text: string): (readonly string[])[] {
    const words = wordsAt(text).map(({ text }) => text)
    return words.filter(word => !this.#isStop(word)).map(word => this.stemsOf(word))
  }
}
