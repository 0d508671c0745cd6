import type { Safes } from '../plugins/safes/safe.js'
import type { Context } from './context.js'

export interface ActiveSafe {
  id: string
  name: string
}

/**
 * The Safe a question goes to when it names none (DESIGN §5.3): the session's selection, the connection's latest,
 * the one chosen on the consent page, the account's only one. A Safe the account can no longer read is passed over.
 * Null: the assistant has to select one.
 */
export async function activeSafe(context: Context, safes: Safes): Promise<ActiveSafe | null> {
  const { access, onlySafeId } = context
  if (onlySafeId !== null) return readable(safes, access.accountId, onlySafeId)
  const candidates = [access.session?.selectedSafeId, access.selectedSafeId, access.chosenSafeId]
  for (const id of new Set(candidates)) {
    const safe = id ? await readable(safes, access.accountId, id) : null
    if (safe) return safe
  }
  const [only, another] = await safes.readableBy(access.accountId)
  return only && !another ? only : null
}

/** The Safe of that id if this connection may read it now, else null. */
export async function findReadable(context: Context, safes: Safes, id: string): Promise<ActiveSafe | null> {
  if (context.onlySafeId !== null && context.onlySafeId !== id) return null
  return readable(safes, context.access.accountId, id)
}

async function readable(safes: Safes, accountId: string, id: string): Promise<ActiveSafe | null> {
  const membership = await safes.membership(accountId, id)
  return membership && { id, name: membership.name }
}
