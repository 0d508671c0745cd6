import { findString, stringAt } from '../collections/strings.js'
import { frequency } from '../index/bm25.js'
import { type Meaning, meaningsOf } from '../index/dictionary.js'
import type { SafeIndex } from '../index/safe-index.js'
import { languageOfQuestion } from '../text/languages/detect.js'
import { isStopWordIn, stemIn } from '../text/languages/language.js'
import { isDegree, requestIn } from '../text/languages/requests.js'
import { foldWord, isStopWord, normalizeName, singular, wordsAt } from '../text/text.js'
import { trimEndOf } from '../text/trim-end.js'

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
 * frequent one. Stems of related words in the question's language follow as far as the Safe has them.
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
    const related = language.related(text)
    const all = related.length === 0 ? stemsOf(text) : [...new Set([...stemsOf(text), ...related])]
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

/** A word of the question. Of its stems in the Safe's languages, `stem` is the one in most passages. */
export interface QuestionWord extends ReadWord {
  /** Is part of a link. */
  linked: boolean
  /** Occurs in names of the Safe, or is a stop word. */
  inNames: boolean
}

/** Words read from a question; the rest is ignored. */
const MAX_WORDS = 300

/** The words of a question, not yet linked. */
export function questionWords(index: SafeIndex, question: string): QuestionWord[] {
  const request = requestIn(question)
  const words = readQuestion(index, question, MAX_WORDS)
  return words.map((word, at) => {
    const { folded, start, end } = word
    const isInRequest =
      start >= request.start && end <= request.end && !isDegree(words[at - 1]?.folded, folded)
    const stop = word.stop || !isInRequest
    const inNames = stop || isStopWord(folded) || isInNames(index, folded)
    return { ...word, stop, linked: false, inNames }
  })
}

function isInNames({ dictionary, workspace: { stem } }: SafeIndex, word: string): boolean {
  if (frequency(dictionary.words, stem(word)) > 0) return true
  const single = singular(word)
  return single !== word && frequency(dictionary.words, stem(single)) > 0
}

/** Whether the word occurs in passages, names or predicates. */
export function isWordOf({ text, names, predicateText }: SafeIndex, { stems }: QuestionWord): boolean {
  return [text, names, predicateText].some(index => stems.some(stem => frequency(index, stem) > 0))
}

/** Whether the word is the name of a type, in singular or plural. */
export function isTypeWord({ types }: SafeIndex, { folded }: QuestionWord): boolean {
  return findString(types, folded) >= 0 || findString(types, singular(folded)) >= 0
}

/** Whether the word occurs in a predicate and is not written like a name. */
export function isPredicateWord({ predicateText }: SafeIndex, word: QuestionWord | undefined): boolean {
  if (word === undefined || isUpper(word)) return false
  return word.stems.some(stem => frequency(predicateText, stem) > 0)
}

/** Whether the word begins with a capital. */
export function isUpper(word: QuestionWord | undefined): boolean {
  return word !== undefined && /^\p{Lu}/u.test(word.text)
}

/** Whether the word begins with a capital or a digit, like a part of a name. */
export function isCapital(word: QuestionWord | undefined): boolean {
  return word !== undefined && /^[\p{Lu}\p{N}]/u.test(word.text)
}

/** Whether the words can be a name: stop words alone only if written as one, such as "IT" or "The Who". */
export function canBeName(span: readonly QuestionWord[]): boolean {
  if (span.some(word => !word.stop)) return true
  return span.length > 1 ? span.every(isUpper) : span.every(word => /^\p{Lu}{2,}$/u.test(word.text))
}

/** The words in the form used by dictionaries. */
function phraseOf(span: readonly QuestionWord[]): string {
  return span.map(word => word.folded).join(' ')
}

/** The entities that words of a question name, as written or with the last word in the singular. */
export function meaningsInQuestion(index: SafeIndex, question: string, span: QuestionWord[]): Meaning[] {
  const { dictionary } = index
  const exact = asWritten(index, question, span, meaningsOf(dictionary, phraseOf(span)))
  if (exact.length > 0) return exact
  const last = span.at(-1)
  if (last === undefined || singular(last.folded) === last.folded) return []
  return meaningsOf(dictionary, phraseOf([...span.slice(0, -1), { ...last, folded: singular(last.folded) }]))
}

/** "C++" refers to C++ and not to C, although their words are the same. */
function asWritten(index: SafeIndex, question: string, span: QuestionWord[], meanings: Meaning[]): Meaning[] {
  if (meanings.length < 2) return meanings
  const start = span[0]?.start ?? 0
  const end = span.at(-1)?.end ?? start
  const tail = question.slice(end).match(/^[^\s\p{L}\p{N}]*/u)?.[0] ?? ''
  const written = question.slice(start, end + tail.length)
  for (const text of [written, trimEndOf(written, '?.!,;:)\'"\u201d\u2019')]) {
    const key = normalizeName(text)
    const same = meanings.filter(({ entity }) => stringAt(index.entities, entity) === key)
    if (same.length > 0) return same
  }
  return meanings
}
