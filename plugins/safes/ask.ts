import type { Answer } from '../../graph/answer.js'
import { DomainError } from '../domain-error.js'
import type { IndexCache } from './index-cache.js'
import { requireReader } from './membership.js'
import type { Question } from './safe.js'
import type { ContentStore, SafeStore } from './store.js'

export type Indexes = IndexCache<unknown>

const MAX_QUERY = 2048

interface Parts {
  safes: SafeStore
  contents: ContentStore
  indexes: Indexes
}

/**
 * Answers a question from one Safe (GRAPH §5).
 * @throws notFound for strangers, DomainError 400 for a question that cannot be asked or a cursor that is over
 */
export async function ask(
  parts: Parts,
  accountId: string,
  safeId: string,
  question: Question,
): Promise<Answer> {
  checkQuestion(question)
  await requireReader(parts.safes, accountId, safeId)
  throw new DomainError(503, 'not_yet', 'Asking is not built yet.')
}

function checkQuestion({ query }: Question): void {
  const refuse = (message: string) => {
    throw new DomainError(400, 'invalid_query', message)
  }
  if (query.trim() === '') refuse('The query is empty. Ask with words that name what you look for.')
  if (query.length > MAX_QUERY)
    refuse(`The query is longer than ${MAX_QUERY.toLocaleString('en')} characters.`)
  if (query.includes('\0')) refuse('The query holds a NUL character.')
}
