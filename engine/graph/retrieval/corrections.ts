import { frequency } from '../index/bm25.js'
import type { SafeIndex } from '../index/safe-index.js'
import { stem } from '../text/text.js'

/** Minimum letters of a word that is corrected: shorter ones are too close to other words. */
export const MIN_LETTERS = 7
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/**
 * The most frequent known word that is one typing error away from an unknown word (a letter missing, added, wrong or
 * swapped), and its stem. Null if there is none. About 400 look-ups.
 */
export function corrected({ text }: SafeIndex, unknown: string): { word: string; stem: string } | null {
  let [best, most] = [null as { word: string; stem: string } | null, 0]
  for (const word of editsOf(unknown)) {
    for (const one of new Set([stem(word), word])) {
      const count = frequency(text, one)
      if (count > most) [best, most] = [{ word, stem: one }, count]
    }
  }
  return best
}

/** The first letter is hardly ever wrong. */
function* editsOf(word: string): Generator<string> {
  for (let at = 1; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)]
    for (const letter of LETTERS) yield `${before}${letter}${after}`
    if (after === '') continue
    yield before + after.slice(1)
    yield `${before}${after.slice(1, 2)}${after.slice(0, 1)}${after.slice(2)}`
    for (const letter of LETTERS) yield `${before}${letter}${after.slice(1)}`
  }
}
