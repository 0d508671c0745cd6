import { findString } from '../collections/strings.js'
import { frequency } from '../index/bm25.js'
import type { SafeIndex } from '../index/safe-index.js'
import { isDegree, requestIn } from '../text/languages/requests.js'
import { isStopWord, singular, stem } from '../text/text.js'
import { readQuestion } from './question-text.js'

/** A word of the question. */
export interface QuestionWord {
  text: string
  folded: string
  /** The stem that most passages have, of those that the word has in the Safe's languages. */
  stem: string
  /** All of them, `stem` first. */
  stems: readonly string[]
  /** Says nothing by itself ("the", "who"). */
  stop: boolean
  /** Has become part of a link. */
  linked: boolean
  /** Occurs in names of the Safe, or may: a stop word. */
  inNames: boolean
  start: number
  end: number
}

/** Words read of a question; the rest is ignored. */
const maxWords = 300

/** The words of a question, none of them linked. */
export function questionWords(index: SafeIndex, question: string): QuestionWord[] {
  const request = requestIn(question)
  const words = readQuestion(index, question, maxWords)
  return words.map(({ text, folded, stem, stems, stop: isFunctionWord, start, end }, at) => {
    const isInRequest =
      start >= request.start && end <= request.end && !isDegree(words[at - 1]?.folded, folded)
    const stop = isFunctionWord || !isInRequest
    const inNames = stop || isStopWord(folded) || isInNames(index, folded)
    return { text, folded, stem, stems, stop, start, end, linked: false, inNames }
  })
}

function isInNames({ dictionary }: SafeIndex, word: string): boolean {
  if (frequency(dictionary.words, stem(word)) > 0) return true
  const single = singular(word)
  return single !== word && frequency(dictionary.words, stem(single)) > 0
}

/** Whether passages, names or predicates have the word. */
export function isWordOf({ text, names, predicateText }: SafeIndex, { stems }: QuestionWord): boolean {
  return [text, names, predicateText].some(index => stems.some(stem => frequency(index, stem) > 0))
}

/** Whether a type is called so, in the singular or the plural. */
export function isTypeWord({ types }: SafeIndex, { folded }: QuestionWord): boolean {
  return findString(types, folded) >= 0 || findString(types, singular(folded)) >= 0
}

/** Whether a predicate has the word and it is not written like a name. */
export function isPredicateWord({ predicateText }: SafeIndex, word: QuestionWord | undefined): boolean {
  if (word === undefined || isUpper(word)) return false
  return word.stems.some(stem => frequency(predicateText, stem) > 0)
}

/** Whether the word begins with a capital. */
export function isUpper(word: QuestionWord | undefined): boolean {
  return word !== undefined && /^\p{Lu}/u.test(word.text)
}

/** Whether the word begins with a capital or a digit: written like a part of a name. */
export function isCapital(word: QuestionWord | undefined): boolean {
  return word !== undefined && /^[\p{Lu}\p{N}]/u.test(word.text)
}

/** Whether the words can be a name: stop words alone only where they are written as one, "IT" or "The Who". */
export function canBeName(span: readonly QuestionWord[]): boolean {
  if (span.some(word => !word.stop)) return true
  return span.length > 1 ? span.every(isUpper) : span.every(word => /^\p{Lu}{2,}$/u.test(word.text))
}

/** The words as dictionaries have them. */
export function phraseOf(span: readonly QuestionWord[]): string {
  return span.map(word => word.folded).join(' ')
}
