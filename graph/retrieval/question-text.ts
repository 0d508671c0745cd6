import { frequency } from '../index/bm25.js'
import type { SafeIndex } from '../index/safe-index.js'
import { fromCodes, languageOfQuestion } from '../text/languages/detect.js'
import { isStopWordIn, type Language, stemIn } from '../text/languages/language.js'
import { stemsIn } from '../text/languages/stems.js'
import { foldWord, wordsAt } from '../text/text.js'

/** A word of a question in the Safe's languages. */
export interface ReadWord {
  text: string
  folded: string
  stem: string
  stems: readonly string[]
  stop: boolean
  start: number
  end: number
}

/**
 * The first `most` words of a question. A Safe can hold texts in several languages, each with its own
 * stemmer, so a word has one stem per language: first that of the question's language, otherwise the most
 * frequent one.
 */
export function readQuestion(index: SafeIndex, question: string, most: number): ReadWord[] {
  const words = wordsAt(question).slice(0, most)
  const known = fromCodes(index.languages)
  const language = languageOfQuestion(
    words.map(({ text }) => text),
    known,
  )
  return words.map(({ text, start, end }) => {
    const folded = foldWord(language.bare(text))
    const stems = known.length > 1 ? sortedStems(index, known, language, text) : stemsIn(known, text)
    return { text, folded, stem: stems[0] ?? folded, stems, stop: isStopWordIn(language, folded), start, end }
  })
}

/** The stems of a word that occur in passages, or one if none does. */
function sortedStems(
  index: SafeIndex,
  known: readonly Language[],
  language: Language,
  word: string,
): string[] {
  const stems = stemsIn(known, word)
  if (stems.length === 1) return stems
  const own = stemIn(language, word)
  const counted = stems
    .map(stem => ({ stem, count: frequency(index.text, stem) }))
    .sort(
      (x, y) =>
        Number(y.stem === own && y.count > 0) - Number(x.stem === own && x.count > 0) || y.count - x.count,
    )
  const names = ({ stem }: { stem: string }): boolean =>
    frequency(index.names, stem) > 0 || frequency(index.predicateText, stem) > 0
  return counted.filter((found, at) => at === 0 || found.count > 0 || names(found)).map(({ stem }) => stem)
}
