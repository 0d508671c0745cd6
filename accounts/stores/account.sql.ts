import { type Kysely, type Selectable, type SqlBool, sql } from 'kysely'
import type { Database } from '../../storage/database.js'
import { deleteSome } from '../../storage/delete-some.js'
import { isOpenInvitation } from '../../storage/open-invitation.js'
import type { Schema } from '../../storage/schema.js'
import type { Account, AccountPage } from '../account.js'
import type { Invitation, InvitationPage, PendingInvitation } from '../invitation.js'
import type { IdentityKey } from '../openid/identity.js'
import { insertIdentity } from './insert-identity.js'
import type { AccountRecord, NewAccount } from './types.js'

/** Default number of accounts per page. */
const PAGE = 100

type AccountRow = Selectable<Schema['accounts']>

/** Serializes writes that depend on all accounts, such as whether one is the first or the last admin. */
export const ACCOUNTS_LOCK = 'accounts'

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
    return findAccount(this.#database.read, 'id', id)
  }

  async findByEmail(email: string): Promise<AccountRecord | null> {
    return findAccount(this.#database.read, 'email', email)
  }

  async hasAsked(id: string): Promise<boolean> {
    const query = this.#database.read.selectFrom('accounts').select('asked_at').where('id', '=', id)
    const row = await query.executeTakeFirst()
    return row !== undefined && row.asked_at !== null
  }

  async noteQuestion(id: string, at: number): Promise<void> {
    await this.#database.write(trx =>
      trx
        .updateTable('accounts')
        .set({ asked_at: at })
        .where('id', '=', id)
        .where('asked_at', 'is', null)
        .execute(),
    )
  }

  async administrators(): Promise<Account[]> {
    const rows = await this.#database.read
      .selectFrom('accounts')
      .select(['id', 'email', 'role', 'created_at'])
      .where('role', '=', 'admin')
      .orderBy('created_at')
      .limit(PAGE)
      .execute()
    return rows.map(({ created_at, ...row }) => ({ ...row, createdAt: Number(created_at) }))
  }

  async wantsMail(id: string): Promise<boolean> {
    const query = this.#database.read.selectFrom('accounts').select('wants_mail').where('id', '=', id)
    return (await query.executeTakeFirst())?.wants_mail === 1
  }

  async setWantsMail(id: string, wantsMail: boolean): Promise<void> {
    await this.#database.write(trx =>
      trx
        .updateTable('accounts')
        .set({ wants_mail: wantsMail ? 1 : 0 })
        .where('id', '=', id)
        .execute(),
    )
  }

  /**
   * Sets the password hash, raises the epoch, and deletes links that would reset the password again. False when there
   * is no such account.
   * @param byOperator the account may then sign in without the OpenID provider
   */
  setPassword(id: string, passwordHash: string, byOperator: boolean): Promise<boolean> {
    return this.#database.write(async trx => {
      await trx
        .deleteFrom('invitations')
        .where('purpose', '=', 'reset')
        .where('account_id', '=', id)
        .execute()
      const allowed = byOperator ? { provider_only: 0 } : {}
      const result = await trx
        .updateTable('accounts')
        .set(e => ({ password_hash: passwordHash, session_epoch: e('session_epoch', '+', 1), ...allowed }))
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

  /**
   * A new set-up link replaces the previous one, a link to reset a password those of the same account. Deletes
   * expired links. An account may have `PENDING_AT_MOST` unused invitations.
   */
  addInvitation(invitation: Invitation): Promise<'added' | 'too many'> {
    const { id, tokenHash, purpose, email, createdAt, expiresAt, invitedBy, safe, accountId } = invitation
    return this.#database.write(async trx => {
      await deleteSome(trx, 'invitations', ['token_hash'], sql`expires_at <= ${createdAt}`)
      if (purpose === 'setup') await trx.deleteFrom('invitations').where('purpose', '=', 'setup').execute()
      if (purpose === 'reset')
        await trx
          .deleteFrom('invitations')
          .where('purpose', '=', 'reset')
          .where('account_id', '=', accountId)
          .execute()
      if (purpose === 'invite' && invitedBy !== null && (await hasTooManyPending(trx, invitedBy)))
        return 'too many'
      const times = { created_at: createdAt, expires_at: expiresAt }
      const target = { safe_id: safe?.id ?? null, role: safe?.role ?? null, account_id: accountId }
      await trx
        .insertInto('invitations')
        .values({ id, token_hash: tokenHash, purpose, email, invited_by: invitedBy, ...target, ...times })
        .execute()
      return 'added'
    }, ACCOUNTS_LOCK)
  }

  async findInvitation(tokenHash: string, now: number): Promise<Invitation | null> {
    const row = await this.#database.read
      .selectFrom('invitations')
      .selectAll()
      .where('token_hash', '=', tokenHash)
      .where(isOpenInvitation(now))
      .executeTakeFirst()
    return row ? invitationOf(row) : null
  }

  /** Unused invitations, newest first. */
  async invitations(
    { safeId, after, limit = PAGE }: InvitationPage,
    now: number,
  ): Promise<PendingInvitation[]> {
    const last = after === undefined ? null : await this.#madeAt(after)
    if (after !== undefined && last === null) return []
    const rows = await this.#database.read
      .selectFrom('invitations')
      .leftJoin('accounts', 'accounts.id', 'invitations.invited_by')
      .selectAll('invitations')
      .select('accounts.email as inviter')
      .where('purpose', '=', 'invite')
      .where(isOpenInvitation(now))
      .$if(safeId !== undefined, query => query.where('safe_id', '=', safeId ?? ''))
      .$if(last !== null, query =>
        query.where(sql<SqlBool>`(invitations.created_at, invitations.id) < (${last}, ${after})`),
      )
      .orderBy('invitations.created_at', 'desc')
      .orderBy('invitations.id', 'desc')
      .limit(limit)
      .execute()
    return rows.map(({ inviter, ...row }) => {
      const { id, email, createdAt, expiresAt, safe } = invitationOf(row)
      return { id, email, createdAt, expiresAt, safe, inviter }
    })
  }

  async #madeAt(invitationId: string): Promise<number | null> {
    const row = await this.#database.read
      .selectFrom('invitations')
      .select('created_at')
      .where('id', '=', invitationId)
      .executeTakeFirst()
    return row ? Number(row.created_at) : null
  }

  /** Deletes an unused invitation: any, or only if it is into this Safe. False if there is none. */
  revokeInvitation(invitationId: string, safeId?: string): Promise<boolean> {
    return this.#database.write(async trx => {
      const result = await trx
        .deleteFrom('invitations')
        .where('id', '=', invitationId)
        .where('purpose', '=', 'invite')
        .$if(safeId !== undefined, query => query.where('safe_id', '=', safeId ?? ''))
        .executeTakeFirst()
      return result.numDeletedRows > 0n
    })
  }

  /**
   * Consumes a link to reset a password, sets it and ends all sessions. A link with an address was mailed to it, which
   * proves the address. With any other, an administrator lets the account sign in without the OpenID provider. Null if the
   * link is not valid.
   */
  resetPassword(tokenHash: string, now: number, passwordHash: string): Promise<Account | null> {
    return this.#database.write(async trx => {
      const used = await trx
        .deleteFrom('invitations')
        .where('token_hash', '=', tokenHash)
        .where('purpose', '=', 'reset')
        .where('expires_at', '>', now)
        .returning(['account_id', 'email'])
        .executeTakeFirst()
      if (!used?.account_id) return null
      const effect = used.email === null ? { provider_only: 0 } : { email_proven: 1 }
      const row = await trx
        .updateTable('accounts')
        .set(e => ({ password_hash: passwordHash, session_epoch: e('session_epoch', '+', 1), ...effect }))
        .where('id', '=', used.account_id)
        .returning(['id', 'email', 'role', 'created_at'])
        .executeTakeFirst()
      return row ? { id: row.id, email: row.email, role: row.role, createdAt: Number(row.created_at) } : null
    }, ACCOUNTS_LOCK)
  }

  /** Does not demote the last admin. */
  setRole(id: string, role: Account['role']): Promise<'changed' | 'absent' | 'last-admin'> {
    return this.#database.write(async trx => {
      if (role !== 'admin' && (await isLastAdmin(trx, id))) return 'last-admin'
      const result = await trx.updateTable('accounts').set({ role }).where('id', '=', id).executeTakeFirst()
      return result.numUpdatedRows > 0n ? 'changed' : 'absent'
    }, ACCOUNTS_LOCK)
  }

  /**
   * Consumes the link and adds the account, or does neither. A set-up link is `unknown` once an account
   * exists. An invitation into a Safe is then reserved for the new account; joining the Safe consumes it. The account is
   * linked to `identity`, which must not be linked yet.
   */
  acceptInvitation(tokenHash: string, now: number, account: NewAccount, identity: IdentityKey | null = null) {
    return this.#database.write(async trx => {
      const isFirst = await noAccounts(trx)
      const existing = trx.selectFrom('accounts').select('id').where('email', '=', account.email)
      if (await existing.executeTakeFirst()) return 'email-taken'
      const open = await trx
        .selectFrom('invitations')
        .selectAll()
        .where('token_hash', '=', tokenHash)
        .where(isOpenInvitation(now))
        .executeTakeFirst()
      const isReservedForOther = open?.email !== null && open?.email !== account.email
      if (!open || open.purpose === 'reset' || isReservedForOther || (open.purpose === 'setup' && !isFirst))
        return 'unknown'
      await (open.safe_id === null
        ? trx.deleteFrom('invitations').where('token_hash', '=', tokenHash).execute()
        : trx
            .updateTable('invitations')
            .set({ email: account.email })
            .where('token_hash', '=', tokenHash)
            .execute())
      const added = await insertAccount(trx, account)
      if (added && identity) await insertIdentity(trx, identity, added.id, now)
      return added ?? 'email-taken'
    }, ACCOUNTS_LOCK)
  }
}

/** The maximum number of unused invitations of one account. */
const PENDING_AT_MOST = 100

async function hasTooManyPending(db: Kysely<Schema>, accountId: string): Promise<boolean> {
  const pending = await db
    .selectFrom('invitations')
    .select('id')
    .where('invited_by', '=', accountId)
    .limit(PENDING_AT_MOST)
    .execute()
  return pending.length === PENDING_AT_MOST
}

function invitationOf(row: Selectable<Schema['invitations']>): Invitation {
  return {
    id: row.id ?? '',
    tokenHash: row.token_hash,
    purpose: row.purpose,
    email: row.email,
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
    invitedBy: row.invited_by,
    safe: row.safe_id !== null && row.role !== null ? { id: row.safe_id, role: row.role } : null,
    accountId: row.account_id,
  }
}

async function isLastAdmin(db: Kysely<Schema>, id: string): Promise<boolean> {
  const admins = await db.selectFrom('accounts').select('id').where('role', '=', 'admin').limit(2).execute()
  return admins.length === 1 && admins[0]?.id === id
}

async function noAccounts(db: Kysely<Schema>): Promise<boolean> {
  return !(await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst())
}

export async function insertAccount(trx: Kysely<Schema>, account: NewAccount): Promise<Account | null> {
  const { id, email, createdAt, passwordHash, isEmailProven } = account
  const { isProviderOnly = false, invitedRoot = null } = account
  const role = account.role ?? ((await noAccounts(trx)) ? 'admin' : 'member')
  const result = await trx
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
    .onConflict(c => c.column('email').doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows ? { id, email, role, createdAt } : null
}

export async function findAccount(
  db: Kysely<Schema>,
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
