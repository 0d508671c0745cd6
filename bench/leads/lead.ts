import type { MeasuredAnswer } from '../../domain/safes/ask/answer.js'
import { answersQuestion } from '../../domain/safes/ask/answers-question.js'
import { answerView } from '../../routes/pages/things/answer-view.js'
import { questionOf } from '../../routes/pages/things/question-fields.js'
import type { BenchSafe } from '../quality/safes.js'

/** A text, and what it is of: the path of its document, or the names of the two things of a fact. */
export interface Statement {
  text: string
  document: string | null
  things: string[]
}

/** What is said of a question. */
export interface Said {
  /** In large type; null where the answer leads with nothing. */
  lead: Statement | null
  /** Whether it says that nothing in the Safe answers. */
  isNone: boolean
  /** How sure it is; compared over all questions. */
  confidence: number
  /** Facts and passages, best first. */
  found: Statement[]
}

/** Asks as the answer page does. */
export async function ask(safe: BenchSafe, q: string, otherWords: readonly string[]): Promise<Said> {
  const entered = { q, ...(otherWords.length > 0 && { other_words: otherWords.join(', ') }) }
  const measured = await safe.answer(questionOf(entered) ?? { query: q })
  const { facts, passages, ...answer } = measured.answer
  const scored = [
    ...passages.map(({ score, text, document = null }) => ({ score, text, document, things: [] })),
    ...facts.map(fact => ({ score: fact.score, ...factStatement(fact) })),
  ].sort((a, b) => b.score - a.score)
  // Answers are to carry both; until then a score, and what the page folds away.
  const { verdict, confidence } = answer as { verdict?: string; confidence?: number }
  return {
    lead: await leadOf(measured, entered),
    isNone: verdict === undefined ? !answersQuestion(measured) : verdict === 'none',
    confidence: confidence ?? passages[0]?.score ?? 0,
    found: scored,
  }
}

async function leadOf(measured: MeasuredAnswer, entered: { q: string }): Promise<Statement | null> {
  const { best } = await answerView(measured, '/safes/0', entered)
  if (best === null) return null
  const { fact, sentence, place } = best
  if (fact) {
    const [subject, predicate, object] = [fact.subject.text, fact.predicate.text, fact.object.text]
    return factStatement({ subject, predicate, object })
  }
  const id = place?.href.split('/').at(-1)
  const document = measured.answer.passages.find(passage => passage.id === id)?.document ?? null
  return { text: textOf(sentence ?? ''), document, things: [] }
}

const factStatement = ({
  subject,
  predicate,
  object,
}: Record<'subject' | 'predicate' | 'object', string>) => ({
  text: `${subject} — ${predicate} → ${object}`,
  document: null,
  things: [subject, object],
})

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' }
const textOf = (html: string) =>
  html.replace(/<[^>]*>/g, '').replace(/&(\w+);/g, (all, name) => ENTITIES[name] ?? all)
