import type { Selectable } from 'kysely'
import type { Database } from '../../../platform/storage/database.js'
import type { Schema } from '../../../platform/storage/schema.js'
import type { Passkey } from '../passkeys/passkey.js'
import { ACCOUNTS_LOCK, findAccount } from './account.sql.js'
import type { AccountRecord } from './types.js'
import { waysToSignIn } from './ways-to-sign-in.js'

/** The passkeys of an account at most. */
const PASSKEYS_AT_MOST = 20

export class PasskeyStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  add(passkey: Passkey): Promise<'added' | 'known' | 'too many'> {
    const { id, accountId, name, publicKey, counter, createdAt, lastUsedAt } = passkey
    return this.#database.write(async trx => {
      const existing = trx.selectFrom('passkeys').select('id').where('account_id', '=', accountId)
      if ((await existing.execute()).length >= PASSKEYS_AT_MOST) return 'too many'
      const columns = { id, account_id: accountId, name, public_key: publicKey, counter }
      const result = await trx
        .insertInto('passkeys')
        .values({ ...columns, created_at: createdAt, last_used_at: lastUsedAt })
        .onConflict(conflict => conflict.doNothing())
        .executeTakeFirst()
      return result.numInsertedOrUpdatedRows ? 'added' : 'known'
    }, ACCOUNTS_LOCK)
  }

  async find(id: string): Promise<{ passkey: Passkey; account: AccountRecord } | null> {
    const db = this.#database.read
    const row = await db.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst()
    const account = row ? await findAccount(db, 'id', row.account_id) : null
    return row && account ? { passkey: passkeyOf(row), account } : null
  }

  /** Oldest first. */
  async listFor(accountId: string): Promise<Passkey[]> {
    const query = this.#database.read.selectFrom('passkeys').selectAll().where('account_id', '=', accountId)
    return (await query.orderBy('created_at').orderBy('id').execute()).map(passkeyOf)
  }

  async noteUse({ id }: Passkey, counter: number, at: number): Promise<void> {
    await this.#database.write(trx =>
      trx.updateTable('passkeys').set({ counter, last_used_at: at }).where('id', '=', id).execute(),
    )
  }

  /** False if the account has no such passkey. */
  rename(accountId: string, id: string, name: string): Promise<boolean> {
    return this.#database.write(async trx => {
      const result = await trx
        .updateTable('passkeys')
        .set({ name })
        .where(eb => eb.and({ id, account_id: accountId }))
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    })
  }

  /** Does not remove the only way to sign in. */
  remove(accountId: string, id: string): Promise<'removed' | 'absent' | 'last-way'> {
    return this.#database.write(async trx => {
      const own = trx.selectFrom('passkeys').select('id').where('id', '=', id)
      if (!(await own.where('account_id', '=', accountId).executeTakeFirst())) return 'absent'
      if ((await waysToSignIn(trx, accountId)) < 2) return 'last-way'
      await trx.deleteFrom('passkeys').where('id', '=', id).execute()
      return 'removed'
    }, ACCOUNTS_LOCK)
  }

  /** Removes the password of an account that has a passkey. False if it has none. */
  removePassword(accountId: string): Promise<boolean> {
    return this.#database.write(async trx => {
      const passkey = trx.selectFrom('passkeys').select('id').where('account_id', '=', accountId)
      if (!(await passkey.limit(1).executeTakeFirst())) return false
      await trx.updateTable('accounts').set({ password_hash: '' }).where('id', '=', accountId).execute()
      return true
    }, ACCOUNTS_LOCK)
  }
}

function passkeyOf(row: Selectable<Schema['passkeys']>): Passkey {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    publicKey: row.public_key,
    counter: Number(row.counter),
    createdAt: Number(row.created_at),
    lastUsedAt: row.last_used_at === null ? null : Number(row.last_used_at),
  }
}
