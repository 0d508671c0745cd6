import { inSteps } from '../collections/groups.js'
import type { Pause } from '../collections/pause.js'

/** How words are capitalised in the passages of a Safe, by the numbers of their stems. */
interface Casing {
  /** Stem → passages that contain it. */
  frequencies: Uint32Array
  /** Stem → passages with it capitalised, counted once for every capitalised phrase that contains it. */
  capitals: Uint32Array
}

/**
 * Share of a word's passages that capitalise it, from which it counts as a name by itself, and as part of
 * one.
 */
const AS_NAME = 0.5
const AS_PART = 0.2

/**
 * Whether a capitalised phrase is a name, according to the Safe's own writing (truecasing; Lita and others
 * 2003): words at the start of a sentence or heading are capitalised too, but appear in lower case elsewhere.
 * `stems` are those of the phrase's words, -1 for a stop word; `passages` is the number of passages with the
 * phrase.
 */
export function isName(stems: readonly number[], passages: number, spelling: Casing): boolean {
  const { frequencies, capitals } = spelling
  const [first = -1] = stems
  if (stems.length === 1) return passages >= AS_NAME * (frequencies[first] ?? 0)
  return stems.every(stem => stem < 0 || (capitals[stem] ?? 0) >= AS_PART * (frequencies[stem] ?? 0))
}

/** Share of a noun's passages that indicate a common noun, above which it is not a name. */
const AS_NOUN = 0.25

/**
 * Whether a capitalised word is a common noun in a language that capitalises all nouns: articles and
 * adjectives precede common nouns ("die Bedeutung", "große Bedeutung") but rarely names ("in Warschau").
 */
export function isCommonNoun(nouns: number, passages: number): boolean {
  return nouns > AS_NOUN * passages
}

/** Counts capitalised words in all capitalised phrases of a Safe's passages. */
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
