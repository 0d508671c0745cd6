import type { Database } from '../database.js'

/** Clears what has expired out of the tables; nothing depends on when it runs, because every reader checks the time. */
export async function removeExpired(database: Database, now: number): Promise<void> {
  await database.write(async trx => {
    await trx.deleteFrom('authorization_requests').where('expires_at', '<=', now).execute()
    await trx.deleteFrom('mcp_sessions').where('expires_at', '<=', now).execute()
    await trx.deleteFrom('access_tokens').where('expires_at', '<=', now).execute()
    await trx.deleteFrom('grants').where('expires_at', '<=', now).execute()
    await trx
      .updateTable('grants')
      .set({ grace_pair: null })
      .where('grace_pair', 'is not', null)
      .where('rotated_at', '<=', now - LONGEST_GRACE_MS)
      .execute()
  })
}

/** The most that REFRESH_REUSE_GRACE_SECONDS can be. */
const LONGEST_GRACE_MS = 300_000
