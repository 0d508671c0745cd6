import type { Kysely } from 'kysely'
import type { Schema } from '../../../platform/storage/schema.js'

/** The members of a Safe, or those of a removed one. */
export type MembershipTable = 'memberships' | 'removed_memberships'

/** Whether the Safe has no other owner. A Safe always keeps at least one. */
export async function isLastOwner(
  trx: Kysely<Schema>,
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
