import { foldWord, wordsAt } from '../text.js'
import { english, isStopWordIn, type Language, stemIn } from './language.js'

/** The distinct stems of a word, as written, in each of these languages, in their order. */
export function stemsIn(known: readonly Language[], word: string): string[] {
  const [only] = known
  if (only && known.length === 1) return [stemIn(only, word)]
  return [...new Set(known.map(language => stemIn(language, word)))]
}

/** The stems of each word in a short text (a name, a predicate), without stop words. */
export function termsIn(known: readonly Language[], text: string): string[][] {
  return wordsAt(text).flatMap(({ text }) => {
    const stems = stemsOrNone(known, text)
    return stems === null ? [] : [stems]
  })
}

/** Words whose stems are cached while an index is built, and the longest of them. */
const CACHE_SIZE = 100_000
const MAX_REMEMBERED_LENGTH = 30

/** `termsIn` with a cache, for many texts. */
export function termReader(known: readonly Language[]): (text: string) => string[][] {
  const cache = new Map<string, string[] | null>()
  return text => {
    const found: string[][] = []
    for (const { text: word } of wordsAt(text)) {
      let stems = cache.get(word)
      if (stems === undefined) {
        stems = stemsOrNone(known, word)
        if (cache.size >= CACHE_SIZE) cache.clear()
        if (word.length <= MAX_REMEMBERED_LENGTH) cache.set(word, stems)
      }
      if (stems !== null) found.push(stems)
    }
    return found
  }
}

function stemsOrNone(known: readonly Language[], word: string): string[] | null {
  const [main = english] = known
  return isStopWordIn(main, foldWord(word)) ? null : stemsIn(known, word)
}

/** The bit of a stem among at most 31, or 0. */
export function bitOf(stems: readonly string[], stem: string): number {
  const bit = stems.indexOf(stem)
  return bit < 0 ? 0 : 1 << bit
}
