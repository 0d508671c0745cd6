import { lowerCase } from '../text.js'
import { CLOSING, OPENINGS } from './forms.js'

/** Characters examined at either end of a question. */
const MAX_LENGTH = 120

/**
 * The range of the actual question, without polite phrases before it ("could you please tell me …") and after it
 * ("… please"), which do not describe what it asks for.
 */
export function requestIn(question: string): { start: number; end: number } {
  const lower = lowerCase(question)
  const beginning = lower.slice(0, MAX_LENGTH)
  const start = OPENINGS.find(form => form.test(beginning))?.exec(beginning)?.[0].length ?? 0
  const tail = Math.max(start, question.length - MAX_LENGTH)
  const end = tail + (CLOSING.exec(lower.slice(tail))?.index ?? question.length - tail)
  return { start, end }
}

/** Question words with the words that belong to them: "how many" does not ask for the word "many". */
const DEGREES = new Map([
  ['how', 'much many often old come'],
  ['wie', 'viel viele vielen oft alt'],
  ['hoe', 'veel vaak oud'],
])

/** Whether a folded word is part of the question word before it. */
export function isDegree(before: string | undefined, word: string): boolean {
  return (
    DEGREES.get(before ?? '')
      ?.split(' ')
      .includes(word) === true
  )
}
