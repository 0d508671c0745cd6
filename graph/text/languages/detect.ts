import { remembering } from '../../collections/remembering.js'
import { english, type Language, languageOf, languages, marksIn } from './language.js'

/** Words of a text that are looked at. */
const mostWords = 100
/** A text in a language has a function word among so many words, at least. */
const leastShare = 1 / 20
/** How many function words the language of all texts before counts like: it decides where a text has hardly any. */
const habit = 2
/** As long as nothing is known, English counts like half a word. */
const initial = 0.5
/** One text in so many is not enough to read every question in its language, too: it may be no more than a list of keys. */
const mostPerText = 200
/** Languages of a Safe by which a question is read: the most frequent. */
const mostLanguages = 6

/** A word, and the languages of which it is a function word (`marksIn`). */
interface Marked {
  marks: number
}

/**
 * Tells the language of each text of a Safe by its function words, and, where they leave it open, by the languages of
 * the texts before. Deterministic: the same texts in the same order have the same languages.
 */
export class LanguageDetector {
  readonly #texts = new Uint32Array(32)
  #total = 0

  /** The language of the next text. */
  next(words: readonly Marked[]): Language {
    const language = mostLikely(words, language => this.#habitOf(language))
    this.#texts[language.number] = (this.#texts[language.number] ?? 0) + 1
    this.#total++
    return language
  }

  #habitOf(language: Language): number {
    if (this.#total > 0) return (habit * (this.#texts[language.number] ?? 0)) / this.#total
    return language === english ? initial : 0
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

/** The language of a question to a Safe of these languages, the most frequent first. */
export function languageOfQuestion(words: readonly string[], known: readonly Language[]): Language {
  const [main] = known
  const bonus = (language: Language): number =>
    language === main ? 1 : known.includes(language) ? 0.5 : language === english ? 0.25 : 0
  return mostLikely(
    words.map(word => ({ marks: marksIn(word) })),
    bonus,
  )
}

const votes = new Uint32Array(32)

/** The language with most of the words as its function words, plus a bonus; words too few to tell do not count. */
function mostLikely(all: readonly Marked[], bonus: (language: Language) => number): Language {
  votes.fill(0)
  // Each word once: lists, formulas and keyboard shortcuts repeat what happens to be a word elsewhere.
  const words = new Set(all.slice(0, mostWords))
  const end = words.size
  for (const { marks } of words) {
    for (let rest = marks; rest !== 0; rest &= rest - 1) {
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

/** Languages as an index keeps them. */
export function codesOf(known: readonly Language[]): string {
  return known.map(({ code }) => code).join(' ')
}

export const fromCodes = remembering((codes): readonly Language[] =>
  codes.split(' ').flatMap(code => languageOf(code) ?? []),
)
