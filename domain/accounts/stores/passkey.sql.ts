import { selectWhere, tables } from '../../../platform/storage/where.js'
import { fromRow, toRow } from '../../names.js'
import { Store } from '../../store.js'
import type { Passkey } from '../passkeys/passkey.js'
import { ACCOUNTS_LOCK, findAccount, waysToSignIn } from './account.sql.js'
import type { AccountRecord } from './types.js'

/** Maximum passkeys of an account. */
const PASSKEYS_AT_MOST = 20

export class PasskeyStore extends Store {
  add(passkey: Passkey): Promise<'added' | 'known' | 'too many'> {
    return this.database.write(async trx => {
      const existing = selectWhere(trx, 'passkeys', { account_id: passkey.accountId }).select('id')
      if ((await existing.execute()).length >= PASSKEYS_AT_MOST) return 'too many'
      const isNew = await tables.add(trx, 'passkeys', toRow(passkey))
      return isNew ? 'added' : 'known'
    }, ACCOUNTS_LOCK)
  }

  async find(id: string): Promise<{ passkey: Passkey; account: AccountRecord } | null> {
    const db = this.db
    const row = await tables.find(db, 'passkeys', { id })
    const account = row ? await findAccount(db, 'id', row.account_id) : null
    return row && account ? { passkey: fromRow(row), account } : null
  }

  /** Oldest first. */
  async listFor(accountId: string): Promise<Passkey[]> {
    const query = selectWhere(this.db, 'passkeys', { account_id: accountId }).selectAll()
    return (await query.orderBy('created_at').orderBy('id').execute()).map(row => fromRow(row))
  }

  async noteUse({ id }: Passkey, counter: number, at: number): Promise<void> {
    await this.changeRows('passkeys', { id }, { counter, last_used_at: at })
  }

  /** False if the account has no such passkey. */
  rename(accountId: string, id: string, name: string): Promise<boolean> {
    return this.changeRows('passkeys', { id, account_id: accountId }, { name })
  }

  /** Does not remove the only way to sign in. */
  remove(accountId: string, id: string): Promise<'removed' | 'absent' | 'last-way'> {
    return this.database.write(async trx => {
      const own = selectWhere(trx, 'passkeys', { id }).select('id')
      if (!(await own.where('account_id', '=', accountId).executeTakeFirst())) return 'absent'
      if ((await waysToSignIn(trx, accountId)) < 2) return 'last-way'
      await tables.remove(trx, 'passkeys', { id })
      return 'removed'
    }, ACCOUNTS_LOCK)
  }

  /** Removes the password of an account that has a passkey. False if it has none. */
  removePassword(accountId: string): Promise<boolean> {
    return this.database.write(async trx => {
      const passkey = selectWhere(trx, 'passkeys', { account_id: accountId }).select('id')
      if (!(await passkey.limit(1).executeTakeFirst())) return false
      await tables.change(trx, 'accounts', { id: accountId }, { password_hash: '' })
      return true
    }, ACCOUNTS_LOCK)
  }
}
