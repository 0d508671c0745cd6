import type { Answer } from '../../domain/safes/ask/answer.js'
import { answerView } from '../../routes/pages/things/answer-view.js'
import { questionOf } from '../../routes/pages/things/question-fields.js'
import type { BenchSafe } from '../quality/safes.js'

/** A text and its source: the path of its document, or the names of the two things of a fact. */
export interface Statement {
  text: string
  document: string | null
  things: string[]
}

/** The answer to a question. */
export interface Said {
  /** The text in large type; null if the answer has no lead. */
  lead: Statement | null
  /** Whether it states that nothing in the Safe answers. */
  isNone: boolean
  /** Its confidence; compared over all questions. */
  confidence: number
  /** Facts and passages, best first. */
  found: Statement[]
}

/** Asks as the answer page does. */
export async function ask(safe: BenchSafe, q: string, otherWords: readonly string[]): Promise<Said> {
  const entered = { q, ...(otherWords.length > 0 && { other_words: otherWords.join(', ') }) }
  const answer = await safe.answer(questionOf(entered) ?? { query: q })
  const { facts, passages, verdict, confidence = 0 } = answer
  const scored = [
    ...passages.map(({ score, text, document = null }) => ({ score, text, document, things: [] })),
    ...facts.map(fact => ({ score: fact.score, ...factStatement(fact) })),
  ].sort((a, b) => b.score - a.score)
  return {
    lead: await leadOf(answer, entered),
    isNone: verdict === 'none',
    confidence,
    found: scored,
  }
}

async function leadOf(answer: Answer, entered: { q: string }): Promise<Statement | null> {
  const { best } = await answerView(answer, '/safes/0', entered)
  if (best === null) return null
  const { fact, sentence, place } = best
  if (fact) {
    const [subject, predicate, object] = [fact.subject.text, fact.predicate.text, fact.object.text]
    return factStatement({ subject, predicate, object })
  }
  const id = place?.href.split('/').at(-1)
  const document = answer.passages.find(passage => passage.id === id)?.document ?? null
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
