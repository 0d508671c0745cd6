import { memoize } from '../../collections/memoize.js'
import { foldWord, wordsAt } from '../text.js'
import { english, isStopWordIn, type Language, stemIn } from './language.js'

/** The distinct stems of a word, as written, in each of these languages, in their order. */
export function stemsIn(known: readonly Language[], word: string): string[] {
  const [only] = known
  if (only && known.length === 1) return [stemIn(only, word)]
  return [...new Set(known.map(language => stemIn(language, word)))]
}

/** Words whose stems are cached while an index is built. */
const CACHE_SIZE = 100_000

/** Reads the stems of each word in short texts (names, predicates), without stop words. */
export function termReader(known: readonly Language[]): (text: string) => string[][] {
  const [main = english] = known
  const stemsOf = memoize(word => (isStopWordIn(main, foldWord(word)) ? [] : stemsIn(known, word)), {
    most: CACHE_SIZE,
  })
  return text =>
    wordsAt(text)
      .map(({ text }) => stemsOf(text))
      .filter(stems => stems.length > 0)
}

/** The bit of a stem among at most 31, or 0. */
export function bitOf(stems: readonly string[], stem: string): number {
  const bit = stems.indexOf(stem)
  return bit < 0 ? 0 : 1 << bit
}
