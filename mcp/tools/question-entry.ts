import type { NewEntry, ReadItem } from '../../domain/activity/entry.js'
import { documentsIn, readItems } from '../../domain/activity/read-items.js'
import type { Access } from '../../domain/oauth/connections/access.js'
import type { Answer } from '../../domain/safes/ask/answer.js'
import type { Question } from '../../domain/safes/safe.js'

/** The stored activity of a question and its answer: who read which passages, but not their texts. */
export function questionEntry(
  { accountId, connectionId }: Access,
  question: Question,
  { safe, mode, facts, passages }: Answer,
): NewEntry {
  const items = itemsOf(facts, passages)
  return {
    kind: 'question',
    accountId,
    connectionId,
    safeId: safe.id,
    detail: mode,
    facts: facts.length,
    passages: passages.length,
    question: questionText(question),
    readJson: readItems(items),
    documents: documentsIn(items),
  }
}

function itemsOf(facts: Answer['facts'], passages: Answer['passages']): ReadItem[] {
  const items: ReadItem[] = []
  for (const { subject, predicate, object } of facts) items.push([subject, predicate, object])
  for (const { id, title, document } of passages)
    items.push(document === undefined ? [title] : [title, document, ...numbersOf(id)])
  return items
}

/** The import and the number of a passage, by its id in an answer, such as "p3.12". */
function numbersOf(id: string): [importId: number, first: number, last: number] {
  const [importId, number] = id.slice(1).split('.').map(Number)
  return [importId ?? 0, number ?? 0, number ?? 0]
}

/** The words of a question, or its names and times. */
const questionText = (question: Question): string | null => question.query || namesIn(question)

function namesIn({ entities = [], from, to, since, until, asOf, ...question }: Question): string | null {
  const names = from || to ? [from, to] : entities
  const parts = [names.filter(Boolean).join(' → '), [since, until].filter(Boolean).join(' – '), asOf]
  const { recent, where = {} } = question
  const properties = Object.entries(where).map(([key, value]) => `${key}: ${value}`)
  return [...parts, ...properties, recent && 'recent'].filter(Boolean).join(', ') || null
}
