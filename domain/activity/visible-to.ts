import { notFound } from '../../platform/common/domain-error.js'
import type { ActivityStore } from './stores/activity.sql.js'

/**
 * Which entries of a Safe an account may see: all of them as an owner, its own as a reader.
 * @throws notFound for everybody else (RULES S2)
 */
export async function visibleTo(
  store: Pick<ActivityStore, 'role'>,
  accountId: string,
  safeId: string,
): Promise<(entry: { accountId: string }) => boolean> {
  const role = await store.role(accountId, safeId)
  if (role === null) throw notFound('Safe')
  return role === 'owner' ? () => true : entry => entry.accountId === accountId
}
