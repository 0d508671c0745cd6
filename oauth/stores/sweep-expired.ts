import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../storage/database.js'
import { deleteSome, SLICE_ROWS } from '../../storage/delete-some.js'
import type { Schema } from '../../storage/schema.js'
import { inSlices } from '../../storage/slices.js'

const KEYS: Partial<Record<keyof Schema, readonly string[]>> = {
  authorization_requests: ['id_hash'],
  mcp_sessions: ['connection_id', 'id_hash'],
  access_tokens: ['connection_id', 'token_hash'],
  grants: ['connection_id'],
  login_sessions: ['id_hash'],
  throttles: ['key'],
  invitations: ['token_hash'],
}

/**
 * Clears what has expired out of the tables, a few rows at a time; nothing depends on when it runs, because every
 * reader checks the time.
 */
export async function sweepExpired(database: Database, now: number): Promise<void> {
  for (const [table, key] of Object.entries(KEYS)) {
    await removeAll(database, table as keyof Schema, key, sql`expires_at <= ${now}`)
  }
  await inSlices(async () => {
    const changed = await database.write(trx =>
      trx
        .updateTable('grants')
        .set({ grace_pair: null })
        .where('connection_id', 'in', sealedBefore(database, now - LONGEST_GRACE_MS))
        .executeTakeFirst(),
    )
    return changed.numUpdatedRows >= SLICE_ROWS
  })
}

/** Forgets connections that were ended before `endedBefore`: until then their user can read why. */
export function sweepEndedConnections(database: Database, endedBefore: number): Promise<void> {
  return removeAll(database, 'connections', ['id'], sql`revoked_at <= ${endedBefore}`)
}

function removeAll(
  database: Database,
  table: keyof Schema,
  key: readonly string[],
  where: RawBuilder<unknown>,
): Promise<void> {
  return inSlices(async () => (await database.write(trx => deleteSome(trx, table, key, where))) >= SLICE_ROWS)
}

const sealedBefore = ({ read }: Database, time: number) =>
  read
    .selectFrom('grants')
    .where('grace_pair', 'is not', null)
    .where('rotated_at', '<=', time)
    .limit(SLICE_ROWS)
    .select('connection_id')

/** The most that REFRESH_REUSE_GRACE_SECONDS can be. */
const LONGEST_GRACE_MS = 300_000
