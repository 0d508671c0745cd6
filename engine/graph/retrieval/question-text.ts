import { frequency } from '../index/bm25.js'
import type { SafeIndex } from '../index/safe-index.js'
import { languageOfQuestion } from '../text/languages/detect.js'
import { isStopWordIn, stemIn } from '../text/languages/language.js'
import { foldWord, wordsAt } from '../text/text.js'

/** A word of a question in the Safe's languages. */
export interface ReadWord {
  text: string
  folded: string
  stem: string
  /** All stems, `stem` first. */
  stems: readonly string[]
  /** A function word ("the", "who"). */
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
  const { stemsOf, languages } = index.workspace.stems.of(index.languages)
  const language = languageOfQuestion(
    words.map(({ text }) => text),
    languages,
  )
  return words.map(({ text, start, end }) => {
    const folded = foldWord(language.bare(text))
    const all = stemsOf(text)
    const stems = all.length > 1 ? sorted(index, all, stemIn(language, text)) : all
    return { text, folded, stem: stems[0] ?? folded, stems, stop: isStopWordIn(language, folded), start, end }
  })
}

/** The stems of a word that occur in passages, or one if none does; `own` first. */
function sorted(index: SafeIndex, stems: readonly string[], own: string): string[] {
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
