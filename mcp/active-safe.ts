import { startingSafe } from '../domain/oauth/connections/access.js'
import type { ReadableSafe } from '../domain/safes/safe.js'
import type { Safes } from '../domain/safes/safes.js'
import type { RequestContext } from './context.js'

export interface ActiveSafe {
  id: string
  name: string
}

/**
 * Calls `attempt` with the active Safe. Candidates in order (DESIGN §5.3): the selection of the session, the
 * latest selection of the connection, the Safe chosen on the consent page, the only Safe that the connection can
 * read. `attempt` checks the membership and returns null if the account can no longer read the Safe; the next
 * candidate is then tried. Returns null if no Safe is active, so that the assistant must select one.
 */
export async function withActiveSafe<T>(
  context: RequestContext,
  safes: Safes,
  attempt: (safeId: string) => Promise<T | null>,
): Promise<T | null> {
  const { access } = context
  const single = singleSafe(context)
  if (single !== null) return attempt(single)
  const tried = new Set<string | null | undefined>([null, undefined])
  for (const id of [access.session?.selectedSafeId, access.selectedSafeId, startingSafe(access)]) {
    // A selection may be older than a limit (ADR 46).
    if (tried.has(id) || !isAllowedSafe(context, id as string)) continue
    tried.add(id)
    const result = await attempt(id as string)
    if (result !== null) return result
  }
  const [only, another] = await readableSafes(context, safes, { limit: 2, patienceMs: 0 })
  return only && !another ? attempt(only.id) : null
}

/** The Safe with this id if the connection may currently read it, otherwise null. */
export async function findReadable(context: Reader, safes: Safes, id: string): Promise<ActiveSafe | null> {
  return isAllowedSafe(context, id) ? readable(context, safes, id) : null
}

/** The account whose Safes are looked up, and the limits of the connection. */
export type Reader = Pick<RequestContext, 'access' | 'allowedSafeIds'>

/**
 * Part of the Safes that the connection may currently read, in the order in which the account received them.
 * Empty if `after` is not among them. `patienceMs`: how long to wait for their counts; 0: they are not needed.
 */
export async function readableSafes(
  { access, allowedSafeIds }: Reader,
  safes: Safes,
  { patienceMs, ...page }: { after?: string; limit: number; patienceMs?: number },
): Promise<ReadableSafe[]> {
  if (allowedSafeIds === null) return safes.readableBy(access.accountId, { ...page, patienceMs })
  const all = await safes.readableAmong(access.accountId, allowedSafeIds, { patienceMs })
  if (page.after === undefined) return all.slice(0, page.limit)
  const last = all.findIndex(({ id }) => id === page.after)
  return last === -1 ? [] : all.slice(last + 1, last + 1 + page.limit)
}

/** Whether the connection can access this Safe. A pinned or limited connection has only some (RULES X11). */
export function isAllowedSafe(
  { allowedSafeIds }: Pick<RequestContext, 'allowedSafeIds'>,
  id: string,
): boolean {
  return allowedSafeIds === null || allowedSafeIds.includes(id)
}

/** The Safe of a connection that can access only one, or null. It needs no selection. */
export function singleSafe({ allowedSafeIds }: Pick<RequestContext, 'allowedSafeIds'>): string | null {
  return allowedSafeIds?.length === 1 ? (allowedSafeIds[0] ?? null) : null
}

async function readable({ access }: Reader, safes: Safes, id: string): Promise<ActiveSafe | null> {
  const membership = await safes.membership(access.accountId, id)
  return membership && { id, name: membership.name }
}
