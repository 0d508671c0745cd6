import type { NewEntry, ReadItem } from '../../activity/entry.js'
import { readItems } from '../../activity/read-items.js'
import type { Access } from '../../oauth/connections/access.js'
import type { Answer } from '../../safes/ask/answer.js'
import type { Question } from '../../safes/safe.js'

/** What the activity keeps of a question and its answer: who read what, but not the texts of passages. */
export function questionEntry(
  { accountId, connectionId }: Access,
  question: Question,
  { safe, mode, facts, passages }: Answer,
): NewEntry {
  return {
    kind: 'question',
    accountId,
    connectionId,
    safeId: safe.id,
    detail: mode,
    facts: facts.length,
    passages: passages.length,
    question: questionText(question),
    readJson: readItems(itemsOf(facts, passages)),
  }
}

function itemsOf(facts: Answer['facts'], passages: Answer['passages']): ReadItem[] {
  const items: ReadItem[] = []
  for (const { subject, predicate, object } of facts) items.push([subject, predicate, object])
  for (const { title } of passages) items.push([title])
  return items
}

/** The words of a question, or the names and times that it consists of. */
const questionText = (question: Question): string | null => question.query || namesIn(question)

function namesIn({ entities = [], from, to, since, until, asOf }: Question): string | null {
  const names = from || to ? [from, to] : entities
  const parts = [names.filter(Boolean).join(' → '), [since, until].filter(Boolean).join(' – '), asOf]
  return parts.filter(Boolean).join(', ') || null
}
