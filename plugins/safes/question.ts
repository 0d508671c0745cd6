import { DomainError } from '../domain-error.js'
import type { Question } from './safe.js'

const MAX_QUERY = 2048
const LIMIT = { usual: 10, most: 50 }
const TOKENS = { usual: 2000, most: 20_000 }

/** A question as it is answered: complete and within bounds. */
export interface CheckedQuestion {
  query: string
  limit: number
  cursor: string | null
  maxTokens: number
}

/** @throws DomainError 400 with a sentence that says what to ask instead */
export function checkedQuestion({ query, limit, cursor, maxTokens }: Question): CheckedQuestion {
  if (query.trim() === '') throw refused('The query is empty. Ask with words that name what you look for.')
  if (query.includes('\0')) throw refused('The query holds a NUL character.')
  if (query.length > MAX_QUERY)
    throw refused(`The query is longer than ${MAX_QUERY} characters. Ask for less at once.`)
  return {
    query,
    limit: within('limit', limit, LIMIT),
    cursor: cursor ?? null,
    maxTokens: within('max_tokens', maxTokens, TOKENS),
  }
}

function within(name: string, value: number | undefined, { usual, most }: { usual: number; most: number }) {
  if (value === undefined) return usual
  if (!Number.isInteger(value) || value < 1 || value > most) {
    throw refused(`${name} is a whole number from 1 to ${most}.`)
  }
  return value
}

const refused = (message: string) => new DomainError(400, 'invalid_query', message)
