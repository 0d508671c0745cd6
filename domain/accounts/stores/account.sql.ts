import type { Selectable } from 'kysely'
import type { Db, Schema } from '../../../platform/storage/schema.js'
import { hasEffect, rowsAfter, selectWhere, tables, updateWhere } from '../../../platform/storage/where.js'
import { Store } from '../../store.js'
import type { Account, AccountPage } from '../account.js'
import type { AccountRecord, NewAccount } from './types.js'

/** Default number of accounts per page. */
const PAGE = 100

/** The columns of an `Account`. */
const SHOWN = ['id', 'email', 'role', 'created_at as createdAt'] as const
type AccountRow = Selectable<Schema['accounts']>

/** Serializes writes that depend on all accounts, such as whether one is the first or the last admin. */
export const ACCOUNTS_LOCK = 'accounts'

export class AccountStore extends Store {
  /** Whether no account exists yet, so that the set-up link is needed. */
  isEmpty(): Promise<boolean> {
    return noAccounts(this.db)
  }

  /** Null when the e-mail address is taken. */
  add(account: NewAccount): Promise<Account | null> {
    return this.database.write(trx => insertAccount(trx, account), ACCOUNTS_LOCK)
  }

  /** Adds an account only while there is none. Null otherwise. */
  addFirst(account: NewAccount): Promise<Account | null> {
    return this.database.write(
      async trx => ((await noAccounts(trx)) ? insertAccount(trx, account) : null),
      ACCOUNTS_LOCK,
    )
  }

  /** Accounts in order of creation, in pages. */
  async list({ after, limit = PAGE }: AccountPage = {}): Promise<Account[]> {
    const last = after === undefined ? null : await this.find(after)
    if (after !== undefined && last === null) return []
    return this.db
      .selectFrom('accounts')
      .select(SHOWN)
      .$if(last !== null, query => query.where(rowsAfter(['created_at', 'id'], [last?.createdAt, last?.id])))
      .limit(limit)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
  }

  isLastAdmin(id: string): Promise<boolean> {
    return isLastAdmin(this.db, id)
  }

  async find(id: string): Promise<AccountRecord | null> {
    return findAccount(this.db, 'id', id)
  }

  async findByEmail(email: string): Promise<AccountRecord | null> {
    return findAccount(this.db, 'email', email)
  }

  /** Whether this account has ever asked a question. */
  async hasAsked(id: string): Promise<boolean> {
    const query = selectWhere(this.db, 'accounts', { id }).select('asked_at')
    const row = await query.executeTakeFirst()
    return row !== undefined && row.asked_at !== null
  }

  async noteQuestion(id: string, at: number): Promise<void> {
    await this.database.write(trx =>
      updateWhere(trx, 'accounts', { id }).set({ asked_at: at }).where('asked_at', 'is', null).execute(),
    )
  }

  /** Administrators, at most 100. */
  async administrators(): Promise<Account[]> {
    return selectWhere(this.db, 'accounts', { role: 'admin' })
      .select(SHOWN)
      .orderBy('created_at')
      .limit(PAGE)
      .execute()
  }

  /** Whether the account wants notifications by e-mail. False if there is none. */
  async wantsMail(id: string): Promise<boolean> {
    const query = selectWhere(this.db, 'accounts', { id }).select('wants_mail')
    return (await query.executeTakeFirst())?.wants_mail === 1
  }

  async setWantsMail(id: string, wantsMail: boolean): Promise<void> {
    await this.changeRows('accounts', { id }, { wants_mail: wantsMail ? 1 : 0 })
  }

  /**
   * Sets the password hash, raises the epoch, and deletes links that would reset the password again. False for an
   * unknown account.
   * @param byOperator the account may then sign in without the OpenID provider
   */
  setPassword(id: string, passwordHash: string, byOperator: boolean): Promise<boolean> {
    return this.database.write(async trx => {
      await tables.remove(trx, 'invitations', { purpose: 'reset', account_id: id })
      const allowed = byOperator ? { provider_only: 0 } : {}
      return tables.change(trx, 'accounts', { id }, e => ({
        password_hash: passwordHash,
        session_epoch: e('session_epoch', '+', 1),
        ...allowed,
      }))
    })
  }

  /** Ends all login sessions of the account. */
  async endSessions(id: string): Promise<void> {
    await this.changeRows('accounts', { id }, e => ({ session_epoch: e('session_epoch', '+', 1) }))
  }

  /** Does not remove the last admin. */
  remove(id: string): Promise<'removed' | 'absent' | 'last-admin'> {
    return this.database.write(async trx => {
      if (await isLastAdmin(trx, id)) return 'last-admin'
      const isRemoved = await tables.remove(trx, 'accounts', { id })
      return isRemoved ? 'removed' : 'absent'
    }, ACCOUNTS_LOCK)
  }

  /** Does not demote the last admin. */
  setRole(id: string, role: Account['role']): Promise<'changed' | 'absent' | 'last-admin'> {
    return this.database.write(async trx => {
      if (role !== 'admin' && (await isLastAdmin(trx, id))) return 'last-admin'
      const isChanged = await tables.change(trx, 'accounts', { id }, { role })
      return isChanged ? 'changed' : 'absent'
    }, ACCOUNTS_LOCK)
  }
}

async function isLastAdmin(db: Db, id: string): Promise<boolean> {
  const admins = await selectWhere(db, 'accounts', { role: 'admin' }).select('id').limit(2).execute()
  return admins.length === 1 && admins[0]?.id === id
}

/** Whether no account exists yet. */
export async function noAccounts(db: Db): Promise<boolean> {
  return !(await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst())
}

/** Adds an account; the first one is an administrator. Null if the address has one. */
export async function insertAccount(trx: Db, account: NewAccount): Promise<Account | null> {
  const { id, email, createdAt, passwordHash, isEmailProven } = account
  const { isProviderOnly = false, invitedRoot = null } = account
  const role = account.role ?? ((await noAccounts(trx)) ? 'admin' : 'member')
  const isNew = await hasEffect(
    trx
      .insertInto('accounts')
      .values({
        id,
        email,
        role,
        password_hash: passwordHash,
        session_epoch: 0,
        created_at: createdAt,
        email_proven: Number(isEmailProven),
        provider_only: Number(isProviderOnly),
        invited_root: invitedRoot,
      })
      .onConflict(c => c.column('email').doNothing()),
  )
  return isNew ? { id, email, role, createdAt } : null
}

/** The account with this id or e-mail address (lower case), or null. */
export async function findAccount(
  db: Db,
  column: 'id' | 'email',
  value: string,
): Promise<AccountRecord | null> {
  return fromRow(await db.selectFrom('accounts').selectAll().where(column, '=', value).executeTakeFirst())
}

function fromRow(row: AccountRow | undefined): AccountRecord | null {
  if (!row) return null
  const { id, email, role, password_hash: passwordHash, session_epoch: epoch } = row
  const flags = { isEmailProven: row.email_proven === 1, isProviderOnly: row.provider_only === 1 }
  const createdAt = Number(row.created_at)
  return { id, email, role, createdAt, passwordHash, epoch, ...flags, invitedRoot: row.invited_root }
}

/** The number of ways an account has to sign in: its password, its passkeys and its identities at OpenID providers. */
export async function waysToSignIn(db: Db, accountId: string): Promise<number> {
  const passwords = selectWhere(db, 'accounts', { id: accountId })
    .select('id')
    .where('password_hash', '<>', '')
  const identities = selectWhere(db, 'openid_identities', { account_id: accountId }).select('subject')
  const passkeys = selectWhere(db, 'passkeys', { account_id: accountId }).select('id')
  const found = await Promise.all([passwords.execute(), identities.execute(), passkeys.execute()])
  return found.flat().length
}
