import { findString } from '../collections/strings.js'
import { frequency } from '../index/bm25.js'
import type { SafeIndex } from '../index/safe-index.js'
import { isDegree, requestIn } from '../text/languages/requests.js'
import { isStopWord, singular } from '../text/text.js'
import { type ReadWord, readQuestion } from './question-text.js'

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
export function phraseOf(span: readonly QuestionWord[]): string {
  return span.map(word => word.folded).join(' ')
}
