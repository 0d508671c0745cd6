import { type Answer, answerText } from '../../../domain/safes/ask/answer.js'
import { estimateTokens } from '../../../domain/safes/ask/tokens.js'
import type { Question } from '../../../domain/safes/safe.js'

/** All pages of an answer, or the first few. @throws if one needs more than `maxTokens` */
export async function pagesOf(
  ask: (question: Question) => Promise<Answer>,
  question: Question,
  most = 100,
): Promise<Answer[]> {
  const pages: Answer[] = []
  for (let cursor: string | null = null; pages.length < most; ) {
    const page: Answer = await ask({ ...question, ...(cursor === null ? {} : { cursor }) })
    if (question.maxTokens !== undefined) checkTokens(page, question.maxTokens)
    pages.push(page)
    cursor = page.next_cursor
    if (cursor === null) break
  }
  return pages
}

/** The estimate is compared with real tokenizers in the deep tier. */
export function checkTokens(answer: Answer, maxTokens: number): void {
  for (const form of [JSON.stringify(answer), answerText(answer)]) {
    const tokens = estimateTokens(form)
    if (tokens > maxTokens) throw new Error(`${tokens} tokens of ${maxTokens}: ${form}`)
  }
}
