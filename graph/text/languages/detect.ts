import { english, type Language, languageOf, languages, marksIn } from './language.js'

/** Words examined per text. */
export const wordsExamined = 100
/** Minimum share of function words in a text of a language. */
const leastShare = 1 / 20
/**
 * Weight, in function words, of the language of all previous texts, which decides for texts with hardly any.
 */
const habit = 2
/** Initially English counts as half a word. */
const initial = 0.5
/**
 * One text in this many is too few to read every question in its language as well: it may be a mere list of
 * keys.
 */
const mostPerText = 200
/** Languages of a Safe used to read a question: the most frequent. */
const mostLanguages = 6

/**
 * Detects the language of each text of a Safe by its function words and, if they are ambiguous, by the
 * languages of the previous texts. Deterministic for the same texts in the same order.
 */
export class LanguageDetector {
  readonly #texts = new Uint32Array(32)
  #total = 0

  readonly #habitOf = (language: Language): number => {
    if (this.#total > 0) return (habit * (this.#texts[language.number] ?? 0)) / this.#total
    return language === english ? initial : 0
  }

  /** The language of the next text, given the `marksIn` each of its first words. */
  next(marks: readonly number[]): Language {
    const language = mostLikely(marks, this.#habitOf)
    this.#texts[language.number] = (this.#texts[language.number] ?? 0) + 1
    this.#total++
    return language
  }

  /** The languages of the texts so far, the most frequent first; English if there were none. */
  languages(): Language[] {
    const count = ({ number }: Language): number => this.#texts[number] ?? 0
    const found = languages.filter(
      language => count(language) * mostPerText >= this.#total && count(language) > 0,
    )
    if (found.length === 0) return [english]
    return found.toSorted((x, y) => count(y) - count(x)).slice(0, mostLanguages)
  }
}

/** The language of a question to a Safe with these languages, the most frequent first. */
export function languageOfQuestion(words: readonly string[], known: readonly Language[]): Language {
  const [main] = known
  const bonus = (language: Language): number =>
    language === main ? 1 : known.includes(language) ? 0.5 : language === english ? 0.25 : 0
  return mostLikely(words.map(marksIn), bonus)
}

/** The language with the most function words among the words, plus a bonus; too few words do not count. */
function mostLikely(marks: readonly number[], bonus: (language: Language) => number): Language {
  const votes = new Uint32Array(32)
  const end = Math.min(marks.length, wordsExamined)
  for (let at = 0; at < end; at++) {
    for (let rest = marks[at] ?? 0; rest !== 0; rest &= rest - 1) {
      const bit = 31 - Math.clz32(rest & -rest)
      votes[bit] = (votes[bit] ?? 0) + 1
    }
  }
  let best = english
  let most = -1
  for (const language of languages) {
    const count = votes[language.number] ?? 0
    const score = (count >= leastShare * end ? count : 0) + bonus(language)
    if (score > most) {
      best = language
      most = score
    }
  }
  return best
}

/** The languages in the form an index stores. */
export function codesOf(known: readonly Language[]): string {
  return known.map(({ code }) => code).join(' ')
}

export function fromCodes(codes: string): readonly Language[] {
  return codes.split(' ').flatMap(code => languageOf(code) ?? [])
}
