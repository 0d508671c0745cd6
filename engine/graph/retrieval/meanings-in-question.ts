import { stringAt } from '../collections/strings.js'
import { type Meaning, meaningsOf } from '../index/dictionary.js'
import type { SafeIndex } from '../index/safe-index.js'
import { normalizeName, singular } from '../text/text.js'
import { trimEndOf } from '../text/trim-end.js'
import { phraseOf, type QuestionWord } from './question-word.js'

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
