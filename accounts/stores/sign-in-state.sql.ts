import type { Database } from '../../storage/database.js'
import type { LoginSession, LoginSessionStore, ThrottleResult, ThrottleStore } from './types.js'

/** Login sessions in SQL. */
export class SqlLoginSessionStore implements LoginSessionStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async add(session: LoginSession): Promise<void> {
    const { idHash, accountId, epoch, createdAt, expiresAt } = session
    const times = { created_at: createdAt, expires_at: expiresAt }
    await this.#database.write(trx =>
      trx
        .insertInto('login_sessions')
        .values({ id_hash: idHash, account_id: accountId, epoch, ...times })
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
    if (!row) return null
    const { account_id: accountId, epoch } = row
    return { idHash, accountId, epoch, createdAt: Number(row.created_at), expiresAt: Number(row.expires_at) }
  }

  async extend(session: LoginSession, expiresAt: number): Promise<void> {
    await this.#database.write(trx =>
      trx
        .updateTable('login_sessions')
        .set({ expires_at: expiresAt })
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
