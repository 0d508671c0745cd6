import type { Safes } from '../safes/safes.js'
import type { RequestContext } from './context.js'

export interface ActiveSafe {
  id: string
  name: string
}

/**
 * Calls `attempt` with the active Safe. Candidates in order (DESIGN §5.3): the selection of the session, the
 * latest selection of the connection, the Safe chosen on the consent page, the account's only Safe. `attempt`
 * checks the membership and returns null if the account can no longer read the Safe; the next candidate is
 * then tried. Returns null if no Safe is active, so that the assistant must select one.
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

/** The Safe with this id if the connection may currently read it, otherwise null. */
export async function findReadable(
  context: RequestContext,
  safes: Safes,
  id: string,
): Promise<ActiveSafe | null> {
  return isAllowedSafe(context, id) ? readable(context, safes, id) : null
}

/** Whether the connection can access this Safe. A pinned or limited connection has only one (RULES X11). */
export function isAllowedSafe({ onlySafeId }: RequestContext, id: string): boolean {
  return onlySafeId === null || onlySafeId === id
}

async function readable({ access }: RequestContext, safes: Safes, id: string): Promise<ActiveSafe | null> {
  const membership = await safes.membership(access.accountId, id)
  return membership && { id, name: membership.name }
}
