import { english, LANGUAGES, type Language, languageOf, marksIn } from './language.js'

/** Words examined per text. */
export const WORDS_EXAMINED = 100
/** Minimum share of function words in a text of a language. */
const MIN_SHARE = 1 / 20
/**
 * Weight, in function words, of the language of all previous texts, which decides for texts with hardly any.
 */
const HABIT = 2
/** Initially English counts as half a word. */
const INITIAL = 0.5
/**
 * One text in this many is too few to read every question in its language as well: it may be a mere list of
 * keys.
 */
const MAX_PER_TEXT = 200
/** Languages of a Safe used to read a question: the most frequent. */
const MAX_LANGUAGES = 6

/**
 * Detects the language of each text of a Safe by its function words and, if they are ambiguous, by the
 * languages of the previous texts. Deterministic for the same texts in the same order.
 */
export class LanguageDetector {
  readonly #texts = new Uint32Array(32)
  readonly #habits = new Float64Array(32)
  readonly #main: Language | null
  #total = 0

  /** @param main the language of earlier texts that are not given, if any */
  constructor(main?: Language) {
    if (main) this.#habits[main.number] = HABIT
    else this.#habits[english.number] = INITIAL
    this.#main = main ?? null
  }

  /** The language of the next text, given the `marksIn` each of its first words. */
  next(marks: readonly number[]): Language {
    const language = mostLikely(marks, this.#habits)
    this.#texts[language.number] = (this.#texts[language.number] ?? 0) + 1
    this.#total++
    if (this.#main) return language
    for (let at = 0; at < 32; at++) this.#habits[at] = (HABIT * (this.#texts[at] ?? 0)) / this.#total
    return language
  }

  /** The languages of the texts so far, the most frequent first; English if there were none. */
  languages(): Language[] {
    const count = ({ number }: Language): number => this.#texts[number] ?? 0
    const found = LANGUAGES.filter(
      language => count(language) * MAX_PER_TEXT >= this.#total && count(language) > 0,
    )
    if (found.length === 0) return [english]
    return found.toSorted((x, y) => count(y) - count(x)).slice(0, MAX_LANGUAGES)
  }
}

/** The language of a question to a Safe with these languages, the most frequent first. */
export function languageOfQuestion(words: readonly string[], known: readonly Language[]): Language {
  const [main] = known
  const bonuses = new Float64Array(32)
  bonuses[english.number] = 0.25
  for (const { number } of known) bonuses[number] = 0.5
  if (main) bonuses[main.number] = 1
  return mostLikely(words.map(marksIn), bonuses)
}

/**
 * The language with the most function words among the words, plus its bonus, by number; too few words do not count.
 */
function mostLikely(marks: readonly number[], bonuses: Float64Array): Language {
  const votes = new Uint32Array(32)
  const end = Math.min(marks.length, WORDS_EXAMINED)
  for (let at = 0; at < end; at++) {
    for (let rest = marks[at] ?? 0; rest !== 0; rest &= rest - 1) {
      const bit = 31 - Math.clz32(rest & -rest)
      votes[bit] = (votes[bit] ?? 0) + 1
    }
  }
  let best = 0
  let most = -1
  for (let number = 0; number < LANGUAGES.length; number++) {
    const count = votes[number] ?? 0
    const score = (count >= MIN_SHARE * end ? count : 0) + (bonuses[number] ?? 0)
    if (score > most) {
      best = number
      most = score
    }
  }
  return LANGUAGES[best] ?? english
}

/** The languages in the form an index stores. */
export function codesOf(known: readonly Language[]): string {
  return known.map(({ code }) => code).join(' ')
}

/** Whether English is the first of the languages with these codes. */
export const isMostlyEnglish = (codes: string): boolean =>
  codes === english.code || codes.startsWith(`${english.code} `)

/** Languages by their codes, separated by spaces; unknown ones are left out. */
export function fromCodes(codes: string): readonly Language[] {
  return codes.split(' ').flatMap(code => languageOf(code) ?? [])
}
