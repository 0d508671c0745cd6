import type { Counts, ReadableSafe, Role } from '../safe.js'

/** What precedes every read of a Safe. */
export interface MembershipRow {
  name: string
  version: number
  role: Role
}

/** A Safe as one account sees it. */
export interface ReadableRow extends MembershipRow, Counts {
  id: string
  created_at: number
}

/** A Safe from its row. */
export function safeOf({
  id,
  name,
  version,
  created_at: createdAt,
  role,
  ...counts
}: ReadableRow): ReadableSafe {
  const { entities, relations, passages } = counts
  return { id, name, version, createdAt, role, counts: { entities, relations, passages } }
}
