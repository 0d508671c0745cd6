import { inSteps } from '../collections/groups.js'
import type { Pause } from '../collections/pause.js'

/** How words are written in the passages of a Safe; words are told by the numbers of their stems. */
export interface Casing {
  /** Stem → passages with it. */
  frequencies: Uint32Array
  /** Stem → passages with it in capitals, each counted for every capitalised phrase in which the stem stands there. */
  capitals: Uint32Array
}

/** Share of a word's passages that write it in capitals, from which it is a name by itself, and as a part of one. */
const asName = 0.5
const asPart = 0.2

/**
 * Whether a capitalised phrase is a name, by the Safe's own writing (truecasing; Lita and others 2003): a sentence or a
 * heading begins with a capital, too, but its word stands in small letters elsewhere. `stems` are those of the
 * phrase's words, -1 for a stop word; `passages` how many passages have the phrase.
 */
export function isName(stems: readonly number[], passages: number, spelling: Casing): boolean {
  const { frequencies, capitals } = spelling
  const [first = -1] = stems
  if (stems.length === 1) return passages >= asName * (frequencies[first] ?? 0)
  return stems.every(stem => stem < 0 || (capitals[stem] ?? 0) >= asPart * (frequencies[stem] ?? 0))
}

/** Share of a noun's passages that show it to be a common one, above which it is no name. */
const asNoun = 0.25

/**
 * Whether a capitalised word is a common noun, of a language that capitalises every noun: articles and adjectives stand
 * before nouns ("die Bedeutung", "große Bedeutung"), and hardly ever before names ("in Warschau").
 */
export function isCommonNoun(nouns: number, passages: number): boolean {
  return nouns > asNoun * passages
}

/** Counts the capitals of all capitalised phrases of a Safe's passages. */
export async function spellingOf(
  phrases: { count: number; stemsOf(phrase: number): readonly number[]; passagesOf(phrase: number): number },
  frequencies: Uint32Array,
  pause: Pause,
): Promise<Casing> {
  const capitals = new Uint32Array(frequencies.length)
  await inSteps(phrases.count, pause, phrase => {
    for (const stem of new Set(phrases.stemsOf(phrase))) {
      if (stem >= 0) capitals[stem] = (capitals[stem] ?? 0) + phrases.passagesOf(phrase)
    }
  })
  return { frequencies, capitals }
}
