import type { Selectable } from 'kysely'
import type { ThrottleResult, ThrottleStore } from '../../../platform/limits/throttle-store.js'
import type { Schema } from '../../../platform/storage/schema.js'
import { deleteWhere, selectWhere, updateWhere } from '../../../platform/storage/where.js'
import { Store } from '../../store.js'
import { type LoginSession, type LoginSessionStore, SESSIONS_LISTED } from './types.js'

/** Login sessions in SQL. */
export class SqlLoginSessionStore extends Store implements LoginSessionStore {
  async add(session: LoginSession): Promise<void> {
    const { idHash, accountId, epoch, userAgent, address } = session
    const { createdAt: created_at, expiresAt: expires_at, lastSeenAt: last_seen_at } = session
    const device = { user_agent: userAgent, address }
    await this.database.write(trx =>
      trx
        .insertInto('login_sessions')
        .values({
          id_hash: idHash,
          account_id: accountId,
          epoch,
          ...device,
          created_at,
          expires_at,
          last_seen_at,
        })
        .execute(),
    )
  }

  async find(idHash: string, now: number): Promise<LoginSession | null> {
    const row = await selectWhere(this.db, 'login_sessions', { id_hash: idHash })
      .selectAll()
      .where('expires_at', '>', now)
      .executeTakeFirst()
    return row ? sessionOf(row) : null
  }

  async listFor(accountId: string, now: number): Promise<LoginSession[]> {
    const rows = await selectWhere(this.db, 'login_sessions', { account_id: accountId })
      .selectAll()
      .where('expires_at', '>', now)
      .orderBy('created_at', 'desc')
      .limit(SESSIONS_LISTED)
      .execute()
    return rows.map(sessionOf)
  }

  async extend(session: LoginSession, expiresAt: number, lastSeenAt: number): Promise<void> {
    await this.database.write(trx =>
      updateWhere(trx, 'login_sessions', { id_hash: session.idHash })
        .set({ expires_at: expiresAt, last_seen_at: lastSeenAt })
        .execute(),
    )
  }

  async end(idHash: string): Promise<void> {
    await this.database.write(trx => deleteWhere(trx, 'login_sessions', { id_hash: idHash }).execute())
  }
}

function sessionOf(row: Selectable<Schema['login_sessions']>): LoginSession {
  const createdAt = Number(row.created_at)
  return {
    idHash: row.id_hash,
    accountId: row.account_id,
    epoch: row.epoch,
    createdAt,
    expiresAt: Number(row.expires_at),
    lastSeenAt: Number(row.last_seen_at ?? createdAt),
    userAgent: row.user_agent,
    address: row.address,
  }
}

/** Sign-in throttles in SQL. */
export class SqlThrottleStore extends Store implements ThrottleStore {
  async take(key: string, limit: number, windowMs: number, now: number): Promise<ThrottleResult> {
    const full = await selectWhere(this.db, 'throttles', { key })
      .selectAll()
      .where('expires_at', '>', now)
      .where('count', '>=', limit)
      .executeTakeFirst()
    // Rejected without a write, so that a flood of attempts does not block other writers.
    if (full) return { isAllowed: false, count: full.count, resetInMs: Number(full.expires_at) - now }
    return this.database.write(async trx => {
      // Deletes this key only; the sweep deletes other expired rows, of which there may be many.
      await deleteWhere(trx, 'throttles', { key }).where('expires_at', '<=', now).execute()
      const row = await trx
        .insertInto('throttles')
        .values({ key, count: 0, expires_at: now + windowMs })
        .onConflict(c => c.column('key').doUpdateSet(e => ({ count: e.ref('throttles.count') })))
        .returning(['count', 'expires_at'])
        .executeTakeFirstOrThrow()
      const resetInMs = Number(row.expires_at) - now
      if (row.count >= limit) return { isAllowed: false, count: row.count, resetInMs }
      const count = row.count + 1
      await updateWhere(trx, 'throttles', { key }).set({ count }).execute()
      return { isAllowed: true, count, resetInMs }
    }, key)
  }

  async release(key: string): Promise<void> {
    await this.database.write(trx =>
      updateWhere(trx, 'throttles', { key })
        .set(e => ({ count: e('count', '-', 1) }))
        .where('count', '>', 0)
        .execute(),
    )
  }

  async clear(key: string): Promise<void> {
    await this.database.write(trx => deleteWhere(trx, 'throttles', { key }).execute())
  }
}
