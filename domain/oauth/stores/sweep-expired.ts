import { sql } from 'kysely'
import { dayOf } from '../../../platform/common/durations.js'
import type { Database } from '../../../platform/storage/database.js'
import { deleteAll, inSlices, SLICE_ROWS } from '../../../platform/storage/slices.js'

/** Tables whose rows expire. */
const EXPIRING = [
  ...(['authorization_requests', 'mcp_sessions', 'access_tokens', 'grants'] as const),
  ...(['login_sessions', 'throttles', 'invitations'] as const),
]

/** Deletes expired rows in small batches. The timing does not matter, because every reader checks the expiry itself. */
export async function sweepExpired(database: Database, now: number): Promise<void> {
  for (const table of EXPIRING) await deleteAll(database, table, sql`expires_at <= ${now}`)
  await inSlices(async () => {
    const changed = await database.write(trx =>
      trx
        .updateTable('grants')
        .set({ grace_pair: null })
        .where('connection_id', 'in', unansweredSince(database, now - MAX_GRACE_MS))
        .executeTakeFirst(),
    )
    return changed.numUpdatedRows >= SLICE_ROWS
  })
}

/** Deletes connections that ended before `endedBefore`. Until then, their users can see why they ended. */
export function sweepEndedConnections(database: Database, endedBefore: number): Promise<void> {
  return deleteAll(database, 'connections', sql`revoked_at <= ${endedBefore}`)
}

/** Deletes the call counts of days before this time. */
export function sweepCallDays(database: Database, before: number): Promise<void> {
  return deleteAll(database, 'connection_days', sql`day < ${dayOf(before)}`)
}

const unansweredSince = ({ read }: Database, time: number) =>
  read
    .selectFrom('grants')
    .where('grace_pair', 'is not', null)
    .where('rotated_at', '<=', time)
    .limit(SLICE_ROWS)
    .select('connection_id')

/** The maximum of REFRESH_REUSE_GRACE_SECONDS. */
const MAX_GRACE_MS = 300_000
