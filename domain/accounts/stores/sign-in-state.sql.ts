import type { Selectable } from 'kysely'
import type { ThrottleResult, ThrottleStore } from '../../../platform/limits/throttle-store.js'
import type { Database } from '../../../platform/storage/database.js'
import type { Schema } from '../../../platform/storage/schema.js'
import { type LoginSession, type LoginSessionStore, SESSIONS_LISTED } from './types.js'

/** Login sessions in SQL. */
export class SqlLoginSessionStore implements LoginSessionStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async add(session: LoginSession): Promise<void> {
    const { idHash, accountId, epoch, userAgent, address } = session
    const { createdAt: created_at, expiresAt: expires_at, lastSeenAt: last_seen_at } = session
    const device = { user_agent: userAgent, address }
    await this.#database.write(trx =>
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
    const row = await this.#database.read
      .selectFrom('login_sessions')
      .selectAll()
      .where('id_hash', '=', idHash)
      .where('expires_at', '>', now)
      .executeTakeFirst()
    return row ? sessionOf(row) : null
  }

  async listFor(accountId: string, now: number): Promise<LoginSession[]> {
    const rows = await this.#database.read
      .selectFrom('login_sessions')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('expires_at', '>', now)
      .orderBy('created_at', 'desc')
      .limit(SESSIONS_LISTED)
      .execute()
    return rows.map(sessionOf)
  }

  async extend(session: LoginSession, expiresAt: number, lastSeenAt: number): Promise<void> {
    await this.#database.write(trx =>
      trx
        .updateTable('login_sessions')
        .set({ expires_at: expiresAt, last_seen_at: lastSeenAt })
        .where('id_hash', '=', session.idHash)
        .execute(),
    )
  }

  async end(idHash: string): Promise<void> {
    await this.#database.write(trx =>
      trx.deleteFrom('login_sessions').where('id_hash', '=', idHash).execute(),
    )
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
export class SqlThrottleStore implements ThrottleStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async take(key: string, limit: number, windowMs: number, now: number): Promise<ThrottleResult> {
    const full = await this.#database.read
      .selectFrom('throttles')
      .selectAll()
      .where('key', '=', key)
      .where('expires_at', '>', now)
      .where('count', '>=', limit)
      .executeTakeFirst()
    // Rejected without a write, so that a flood of attempts does not block other writers.
    if (full) return { isAllowed: false, count: full.count, resetInMs: Number(full.expires_at) - now }
    return this.#database.write(async trx => {
      // Deletes this key only; the sweep deletes other expired rows, of which there may be many.
      await trx.deleteFrom('throttles').where('key', '=', key).where('expires_at', '<=', now).execute()
      const row = await trx
        .insertInto('throttles')
        .values({ key, count: 0, expires_at: now + windowMs })
        .onConflict(c => c.column('key').doUpdateSet(e => ({ count: e.ref('throttles.count') })))
        .returning(['count', 'expires_at'])
        .executeTakeFirstOrThrow()
      const resetInMs = Number(row.expires_at) - now
      if (row.count >= limit) return { isAllowed: false, count: row.count, resetInMs }
      const count = row.count + 1
      await trx.updateTable('throttles').set({ count }).where('key', '=', key).execute()
      return { isAllowed: true, count, resetInMs }
    }, key)
  }

  async release(key: string): Promise<void> {
    await this.#database.write(trx =>
      trx
        .updateTable('throttles')
        .set(e => ({ count: e('count', '-', 1) }))
        .where('key', '=', key)
        .where('count', '>', 0)
        .execute(),
    )
  }

  async clear(key: string): Promise<void> {
    await this.#database.write(trx => trx.deleteFrom('throttles').where('key', '=', key).execute())
  }
}
