import { type Kysely, type Selectable, type SqlBool, sql } from 'kysely'
import type { Database } from '../../storage/database.js'
import { deleteSome } from '../../storage/delete-some.js'
import type { Schema } from '../../storage/schema.js'
import type { Account, AccountPage } from '../account.js'
import type { AccountRecord, Invitation, NewAccount } from './types.js'

/** Default number of accounts per page. */
const PAGE = 100

type AccountRow = Selectable<Schema['accounts']>

/** Serializes writes that depend on all accounts, such as whether one is the first or the last admin. */
const ACCOUNTS_LOCK = 'accounts'

export class AccountStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  isEmpty(): Promise<boolean> {
    return noAccounts(this.#database.read)
  }

  /** Null when the e-mail address is taken. */
  add(account: NewAccount): Promise<Account | null> {
    return this.#database.write(trx => insertAccount(trx, account), ACCOUNTS_LOCK)
  }

  /** Adds an account only while there is none. Null otherwise. */
  addFirst(account: NewAccount): Promise<Account | null> {
    return this.#database.write(
      async trx => ((await noAccounts(trx)) ? insertAccount(trx, account) : null),
      ACCOUNTS_LOCK,
    )
  }

  /** In order of creation, in pages. */
  async list({ after, limit = PAGE }: AccountPage = {}): Promise<Account[]> {
    const columns = ['id', 'email', 'role', 'created_at'] as const
    const last = after === undefined ? null : await this.find(after)
    if (after !== undefined && last === null) return []
    const rows = await this.#database.read
      .selectFrom('accounts')
      .select(columns)
      .$if(last !== null, query =>
        query.where(sql<SqlBool>`(created_at, id) > (${last?.createdAt}, ${last?.id})`),
      )
      .limit(limit)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    return rows.map(({ created_at, ...row }) => ({ ...row, createdAt: Number(created_at) }))
  }

  isLastAdmin(id: string): Promise<boolean> {
    return isLastAdmin(this.#database.read, id)
  }

  async find(id: string): Promise<AccountRecord | null> {
    const query = this.#database.read.selectFrom('accounts').selectAll().where('id', '=', id)
    return fromRow(await query.executeTakeFirst())
  }

  async findByEmail(email: string): Promise<AccountRecord | null> {
    const query = this.#database.read.selectFrom('accounts').selectAll().where('email', '=', email)
    return fromRow(await query.executeTakeFirst())
  }

  /** Sets the password hash and raises the epoch. False when there is no such account. */
  setPassword(id: string, passwordHash: string): Promise<boolean> {
    return this.#database.write(async trx => {
      const result = await trx
        .updateTable('accounts')
        .set(e => ({ password_hash: passwordHash, session_epoch: e('session_epoch', '+', 1) }))
        .where('id', '=', id)
        .executeTakeFirst()
      return result.numUpdatedRows > 0
    })
  }

  async raiseEpoch(id: string): Promise<void> {
    await this.#database.write(trx =>
      trx
        .updateTable('accounts')
        .set(e => ({ session_epoch: e('session_epoch', '+', 1) }))
        .where('id', '=', id)
        .execute(),
    )
  }

  /** Does not remove the last admin. */
  remove(id: string): Promise<'removed' | 'absent' | 'last-admin'> {
    return this.#database.write(async trx => {
      if (await isLastAdmin(trx, id)) return 'last-admin'
      const result = await trx.deleteFrom('accounts').where('id', '=', id).executeTakeFirst()
      return result.numDeletedRows > 0 ? 'removed' : 'absent'
    }, ACCOUNTS_LOCK)
  }

  /** A new set-up link replaces the previous one. Deletes expired links. */
  async addInvitation(invitation: Invitation): Promise<void> {
    const { tokenHash, purpose, email, createdAt, expiresAt } = invitation
    await this.#database.write(async trx => {
      await deleteSome(trx, 'invitations', ['token_hash'], sql`expires_at <= ${createdAt}`)
      if (purpose === 'setup') await trx.deleteFrom('invitations').where('purpose', '=', 'setup').execute()
      const times = { created_at: createdAt, expires_at: expiresAt }
      await trx
        .insertInto('invitations')
        .values({ token_hash: tokenHash, purpose, email, ...times })
        .execute()
    }, ACCOUNTS_LOCK)
  }

  async findInvitation(tokenHash: string, now: number): Promise<Invitation | null> {
    const row = await this.#database.read
      .selectFrom('invitations')
      .selectAll()
      .where('token_hash', '=', tokenHash)
      .where('expires_at', '>', now)
      .executeTakeFirst()
    if (!row) return null
    const { purpose, email } = row
    return { tokenHash, purpose, email, createdAt: Number(row.created_at), expiresAt: Number(row.expires_at) }
  }

  /**
   * Consumes the link and adds the account, or does neither. A set-up link is `unknown` once an account
   * exists.
   */
  acceptInvitation(tokenHash: string, now: number, account: NewAccount) {
    return this.#database.write(async trx => {
      const isFirst = await noAccounts(trx)
      const existing = trx.selectFrom('accounts').select('id').where('email', '=', account.email)
      if (await existing.executeTakeFirst()) return 'email-taken'
      const used = await trx
        .deleteFrom('invitations')
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', now)
        .returning('purpose')
        .executeTakeFirst()
      if (!used || (used.purpose === 'setup' && !isFirst)) return 'unknown'
      return (await insertAccount(trx, account)) ?? 'email-taken'
    }, ACCOUNTS_LOCK)
  }
}

async function isLastAdmin(db: Kysely<Schema>, id: string): Promise<boolean> {
  const admins = await db.selectFrom('accounts').select('id').where('role', '=', 'admin').limit(2).execute()
  return admins.length === 1 && admins[0]?.id === id
}

async function noAccounts(db: Kysely<Schema>): Promise<boolean> {
  return !(await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst())
}

async function insertAccount(trx: Kysely<Schema>, account: NewAccount): Promise<Account | null> {
  const { id, email, createdAt, passwordHash } = account
  const role = account.role ?? ((await noAccounts(trx)) ? 'admin' : 'member')
  const result = await trx
    .insertInto('accounts')
    .values({ id, email, role, password_hash: passwordHash, session_epoch: 0, created_at: createdAt })
    .onConflict(c => c.column('email').doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows ? { id, email, role, createdAt } : null
}

function fromRow(row: AccountRow | undefined): AccountRecord | null {
  if (!row) return null
  const { id, email, role, password_hash: passwordHash, session_epoch: epoch } = row
  return { id, email, role, createdAt: Number(row.created_at), passwordHash, epoch }
}
