import { type RawBuilder, sql } from 'kysely'
import { dayOf } from '../../../platform/common/durations.js'
import type { Database } from '../../../platform/storage/database.js'
import { deleteSome, SLICE_ROWS } from '../../../platform/storage/delete-some.js'
import type { Schema } from '../../../platform/storage/schema.js'
import { inSlices } from '../../../platform/storage/slices.js'

const KEYS: Partial<Record<keyof Schema, readonly string[]>> = {
  authorization_requests: ['id_hash'],
  mcp_sessions: ['connection_id', 'id_hash'],
  access_tokens: ['connection_id', 'token_hash'],
  grants: ['connection_id'],
  login_sessions: ['id_hash'],
  throttles: ['key'],
  invitations: ['token_hash'],
}

/** Deletes expired rows in small batches. The timing does not matter, because every reader checks the expiry itself. */
export async function sweepExpired(database: Database, now: number): Promise<void> {
  for (const [table, key] of Object.entries(KEYS)) {
    await removeAll(database, table as keyof Schema, key, sql`expires_at <= ${now}`)
  }
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
  return removeAll(database, 'connections', ['id'], sql`revoked_at <= ${endedBefore}`)
}

/** Deletes the call counts of days before this time. */
export function sweepCallDays(database: Database, before: number): Promise<void> {
  const where = sql`day < ${dayOf(before)}`
  return removeAll(database, 'connection_days', ['connection_id', 'day'], where)
}

function removeAll(
  database: Database,
  table: keyof Schema,
  key: readonly string[],
  where: RawBuilder<unknown>,
): Promise<void> {
  return inSlices(async () => (await database.write(trx => deleteSome(trx, table, key, where))) >= SLICE_ROWS)
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
