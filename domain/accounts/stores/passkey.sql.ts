import type { Selectable } from 'kysely'
import type { Schema } from '../../../platform/storage/schema.js'
import { deleteWhere, hasEffect, selectWhere, updateWhere } from '../../../platform/storage/where.js'
import { Store } from '../../store.js'
import type { Passkey } from '../passkeys/passkey.js'
import { ACCOUNTS_LOCK, findAccount } from './account.sql.js'
import type { AccountRecord } from './types.js'
import { waysToSignIn } from './ways-to-sign-in.js'

/** Maximum passkeys of an account. */
const PASSKEYS_AT_MOST = 20

export class PasskeyStore extends Store {
  add(passkey: Passkey): Promise<'added' | 'known' | 'too many'> {
    const { id, accountId, name, publicKey, counter, createdAt, lastUsedAt } = passkey
    return this.database.write(async trx => {
      const existing = selectWhere(trx, 'passkeys', { account_id: accountId }).select('id')
      if ((await existing.execute()).length >= PASSKEYS_AT_MOST) return 'too many'
      const columns = { id, account_id: accountId, name, public_key: publicKey, counter }
      const isNew = await hasEffect(
        trx
          .insertInto('passkeys')
          .values({ ...columns, created_at: createdAt, last_used_at: lastUsedAt })
          .onConflict(conflict => conflict.doNothing()),
      )
      return isNew ? 'added' : 'known'
    }, ACCOUNTS_LOCK)
  }

  async find(id: string): Promise<{ passkey: Passkey; account: AccountRecord } | null> {
    const db = this.db
    const row = await selectWhere(db, 'passkeys', { id }).selectAll().executeTakeFirst()
    const account = row ? await findAccount(db, 'id', row.account_id) : null
    return row && account ? { passkey: passkeyOf(row), account } : null
  }

  /** Oldest first. */
  async listFor(accountId: string): Promise<Passkey[]> {
    const query = selectWhere(this.db, 'passkeys', { account_id: accountId }).selectAll()
    return (await query.orderBy('created_at').orderBy('id').execute()).map(passkeyOf)
  }

  async noteUse({ id }: Passkey, counter: number, at: number): Promise<void> {
    await this.database.write(trx =>
      updateWhere(trx, 'passkeys', { id }).set({ counter, last_used_at: at }).execute(),
    )
  }

  /** False if the account has no such passkey. */
  rename(accountId: string, id: string, name: string): Promise<boolean> {
    return this.database.write(async trx => {
      return hasEffect(updateWhere(trx, 'passkeys', { id, account_id: accountId }).set({ name }))
    })
  }

  /** Does not remove the only way to sign in. */
  remove(accountId: string, id: string): Promise<'removed' | 'absent' | 'last-way'> {
    return this.database.write(async trx => {
      const own = selectWhere(trx, 'passkeys', { id }).select('id')
      if (!(await own.where('account_id', '=', accountId).executeTakeFirst())) return 'absent'
      if ((await waysToSignIn(trx, accountId)) < 2) return 'last-way'
      await deleteWhere(trx, 'passkeys', { id }).execute()
      return 'removed'
    }, ACCOUNTS_LOCK)
  }

  /** Removes the password of an account that has a passkey. False if it has none. */
  removePassword(accountId: string): Promise<boolean> {
    return this.database.write(async trx => {
      const passkey = selectWhere(trx, 'passkeys', { account_id: accountId }).select('id')
      if (!(await passkey.limit(1).executeTakeFirst())) return false
      await updateWhere(trx, 'accounts', { id: accountId }).set({ password_hash: '' }).execute()
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
