import type { Db } from '../../../platform/storage/schema.js'
import type { Counts, Membership, ReadableSafe, SafeCounts } from '../safe.js'

/** The columns of a `CountsRow`. */
export const COUNTS = [
  's.version',
  's.entities',
  's.relations',
  's.passages',
  's.counted_version',
  's.counted_json',
] as const

/** The sums of a Safe's imports, and the latest count. */
interface CountsRow extends Counts {
  version: number
  counted_version: number
  counted_json: string | null
}

/** A Safe as one account sees it. */
export interface ReadableRow extends Membership, CountsRow {
  id: string
  created_at: number
}

/** Counts that are exact if `isCounted`; otherwise of an earlier version, or sums (ADR 41). */
export interface Counted {
  counts: SafeCounts
  isCounted: boolean
}

export type StoredSafe = ReadableSafe & Counted

/** A Safe from its row. */
export function safeOf({ id, name, created_at: createdAt, role, ...row }: ReadableRow): StoredSafe {
  return { id, name, version: row.version, createdAt, role, ...countedOf(row) }
}

/** The latest count; the sums of the imports if it was never counted, or the Safe was empty then. */
export function countedOf(row: CountsRow): Counted {
  const { version, entities, relations, passages, counted_version, counted_json } = row
  // At version 0 nothing has ever been visible.
  const isCounted = Number(version) === 0 || Number(counted_version) === Number(version)
  const counted: SafeCounts | null = counted_json === null ? null : JSON.parse(counted_json)
  if (counted && (isCounted || counted.entities + counted.documents > 0))
    return { counts: counted, isCounted }
  return { counts: { entities, relations, passages, documents: 0 }, isCounted }
}

/** The Safes that an account may read, in the order in which it received them. */
export const readableBy = (db: Db, accountId: string) =>
  db
    .selectFrom('memberships as m')
    .innerJoin('safes as s', 's.id', 'm.safe_id')
    .where('m.account_id', '=', accountId)
    .orderBy('m.created_at')
    .orderBy('m.safe_id')
    .select(['s.id', 's.name', 's.created_at', 'm.role', ...COUNTS])

/** The members of a Safe, or those of a removed one. */
export type MembershipTable = 'memberships' | 'removed_memberships'

/** Whether the Safe has no other owner. A Safe always keeps at least one. */
export async function isLastOwner(
  trx: Db,
  safeId: string,
  accountId: string,
  table: MembershipTable = 'memberships',
): Promise<boolean> {
  const owners = await trx
    .selectFrom(table)
    .where(eb => eb.and({ safe_id: safeId, role: 'owner' }))
    .limit(2)
    .select('account_id')
    .execute()
  return owners.length === 1 && owners[0]?.account_id === accountId
}
