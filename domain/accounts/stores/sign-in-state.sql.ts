import type { Selectable } from 'kysely'
import type { Clock } from '../../../platform/common/clock.js'
import type { ThrottleResult, ThrottleStore } from '../../../platform/limits/throttle-store.js'
import type { Database } from '../../../platform/storage/database.js'
import type { Schema } from '../../../platform/storage/schema.js'
import { deleteWhere, selectWhere, tables, updateWhere } from '../../../platform/storage/where.js'
import { fromRow, toRow } from '../../names.js'
import { Store } from '../../store.js'
import { type LoginSession, type LoginSessionStore, SESSIONS_LISTED } from './types.js'

/** Login sessions in SQL. */
export class SqlLoginSessionStore extends Store implements LoginSessionStore {
  async add(session: LoginSession): Promise<void> {
    await this.insertRow('login_sessions', toRow(session))
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
    await this.changeRows(
      'login_sessions',
      { id_hash: session.idHash },
      { expires_at: expiresAt, last_seen_at: lastSeenAt },
    )
  }

  async end(idHash: string): Promise<void> {
    await this.removeRows('login_sessions', { id_hash: idHash })
  }
}

const sessionOf = (row: Selectable<Schema['login_sessions']>): LoginSession => ({
  ...fromRow(row),
  lastSeenAt: row.last_seen_at ?? row.created_at,
})

/** Sign-in throttles in SQL. */
export class SqlThrottleStore extends Store implements ThrottleStore {
  readonly #clock: Clock

  constructor(database: Database, clock: Clock) {
    super(database)
    this.#clock = clock
  }

  async take(key: string, limit: number, windowMs: number): Promise<ThrottleResult> {
    const now = this.#clock()
    const full = await selectWhere(this.db, 'throttles', { key })
      .selectAll()
      .where('expires_at', '>', now)
      .where('count', '>=', limit)
      .executeTakeFirst()
    // Rejected without a write, so that a flood of attempts does not block other writers.
    if (full) return { isAllowed: false, count: full.count, resetInMs: Number(full.expires_at) - now }
    return this.database.write(async trx => {
      // Deletes this key only; the sweep deletes other expired rows, possibly many.
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
      await tables.change(trx, 'throttles', { key }, { count })
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
    await this.removeRows('throttles', { key })
  }
}
