import type { ReadableSafe } from '../../../domain/safes/safe.js'
import type { SafeRequest } from '../own-safe.js'
import { accountOf } from '../signed-in.js'

/** Relations with one value at a time. */
interface SingleValued {
  marked: string[]
  /** The most frequent others, to choose from. */
  others: string[]
  /** The entered relation, to be corrected. */
  entered: string
}

/** Relations to choose from. */
const OFFERED = 100

/** The relations of a Safe that have one value at a time, and those that could. Null for a Safe without relations. */
export async function singleValuedOf(
  request: SafeRequest,
  { id, counts }: ReadableSafe,
  entered: string,
): Promise<SingleValued | null> {
  const { safes } = request.server
  const accountId = accountOf(request).id
  const marked = await safes.singleValued.list(accountId, id)
  if (counts.relations === 0 && marked.length === 0) return null
  const { predicates } = await safes.browse.contents(accountId, id, OFFERED)
  const others = predicates.map(({ predicate }) => predicate).filter(name => !marked.includes(name))
  return { marked, others, entered }
}
