import type { Safes } from '../safes/safe.js'
import type { RequestContext } from './context.js'

export interface ActiveSafe {
  id: string
  name: string
}

/**
 * Tries Safes in the order in which one counts as active (DESIGN §5.3): the session's selection, the connection's
 * latest, the one chosen on the consent page, the account's only one. `attempt` checks the account's membership and
 * gives null where it is over, so that a selection that is gone is passed over.
 * Null: the assistant has to select one.
 */
export async function withActiveSafe<T>(
  context: RequestContext,
  safes: Safes,
  attempt: (safeId: string) => Promise<T | null>,
): Promise<T | null> {
  const { access, onlySafeId } = context
  if (onlySafeId !== null) return attempt(onlySafeId)
  const tried = new Set<string | null | undefined>([null, undefined])
  for (const id of [access.session?.selectedSafeId, access.selectedSafeId, access.chosenSafeId]) {
    if (tried.has(id)) continue
    tried.add(id)
    const result = await attempt(id as string)
    if (result !== null) return result
  }
  const [only, another] = await safes.readableBy(access.accountId, { limit: 2 })
  return only && !another ? attempt(only.id) : null
}

/** The Safe of that id if this connection may read it now, else null. */
export async function findReadable(
  context: RequestContext,
  safes: Safes,
  id: string,
): Promise<ActiveSafe | null> {
  return isAllowedSafe(context, id) ? readable(context, safes, id) : null
}

/** Whether a call may name this Safe at all: on a pinned or limited connection only its own (RULES X11). */
export function isAllowedSafe({ onlySafeId }: RequestContext, id: string): boolean {
  return onlySafeId === null || onlySafeId === id
}

async function readable({ access }: RequestContext, safes: Safes, id: string): Promise<ActiveSafe | null> {
  const membership = await safes.membership(access.accountId, id)
  return membership && { id, name: membership.name }
}
