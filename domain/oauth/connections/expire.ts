import { DAY_MS, MINUTE_MS } from '../../../platform/common/durations.js'
import { inSlices } from '../../../platform/storage/slices.js'
import { CODE_MINUTES, REFRESH_TOKEN_DAYS } from '../lifetime.js'
import type { Connection } from './access.js'
import { endConnections, revocationReasons, type Stores } from './connection.js'

/** How long ended connections are shown. */
export const KEEP_ENDED_DAYS = 90

/** A connection gets its row before its code or token. After this time, it certainly has one. */
const BEGUN_AFTER_MS = CODE_MINUTES * MINUTE_MS

/**
 * Marks expired connections as ended, so that they are removed `KEEP_ENDED_DAYS` later. Connections that must
 * have expired that long ago, because the service was not running, are removed at once.
 */
export async function markExpiredConnections(stores: Stores, now: number): Promise<void> {
  const { connections, grants } = stores
  const longAgo = now - (KEEP_ENDED_DAYS + REFRESH_TOKEN_DAYS) * DAY_MS
  let last: Connection | undefined
  await inSlices(async () => {
    const page = await connections.oldest(now - BEGUN_AFTER_MS, last)
    last = page.at(-1)
    const ids = page.map(({ id }) => id)
    const active = await grants.findActive(ids, now)
    const expired = page.filter(({ id }) => !active.has(id))
    const isLongExpired = ({ createdAt, lastUsedAt }: Connection) => (lastUsedAt ?? createdAt) < longAgo
    await connections.forget(expired.filter(isLongExpired).map(({ id }) => id))
    const recent = expired.filter(connection => !isLongExpired(connection)).map(({ id }) => id)
    await endConnections(stores, recent, now, revocationReasons.expired)
    return page.length > 0
  })
}
