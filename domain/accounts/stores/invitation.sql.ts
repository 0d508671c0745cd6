import { type Kysely, type Selectable, sql } from 'kysely'
import { deleteSome } from '../../../platform/storage/delete-some.js'
import { rowsBefore } from '../../../platform/storage/keyset.js'
import { isOpenInvitation } from '../../../platform/storage/open-invitation.js'
import type { Schema } from '../../../platform/storage/schema.js'
import { deleteWhere, hasEffect, selectWhere, updateWhere } from '../../../platform/storage/where.js'
import { Store } from '../../store.js'
import type { Account } from '../account.js'
import type { Invitation, InvitationPage, PendingInvitation } from '../invitation.js'
import type { IdentityKey } from '../openid/identity.js'
import { ACCOUNTS_LOCK, insertAccount, noAccounts } from './account.sql.js'
import { insertIdentity } from './insert-identity.js'
import type { NewAccount } from './types.js'

/** Default number of invitations per page. */
const PAGE = 100
/** The maximum number of unused invitations of one account. */
const PENDING_AT_MOST = 100

/** One-time links: to set the service up, invitations, and links that reset a password. */
export class InvitationStore extends Store {
  /**
   * A new set-up link replaces the previous one, a link to reset a password those of the same account. Deletes
   * expired links. An account may have `PENDING_AT_MOST` unused invitations.
   */
  add(invitation: Invitation): Promise<'added' | 'too many'> {
    const { id, tokenHash, purpose, email, createdAt, expiresAt, invitedBy, safe, accountId } = invitation
    return this.database.write(async trx => {
      await deleteSome(trx, 'invitations', ['token_hash'], sql`expires_at <= ${createdAt}`)
      if (purpose === 'setup') await deleteWhere(trx, 'invitations', { purpose: 'setup' }).execute()
      if (purpose === 'reset')
        await deleteWhere(trx, 'invitations', { purpose: 'reset', account_id: accountId }).execute()
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

  async find(tokenHash: string, now: number): Promise<Invitation | null> {
    const row = await selectWhere(this.db, 'invitations', { token_hash: tokenHash })
      .selectAll()
      .where(isOpenInvitation(now))
      .executeTakeFirst()
    return row ? invitationOf(row) : null
  }

  /** Unused invitations, newest first. */
  async list({ safeId, after, limit = PAGE }: InvitationPage, now: number): Promise<PendingInvitation[]> {
    const last = after === undefined ? null : await this.#madeAt(after)
    if (after !== undefined && last === null) return []
    const rows = await this.db
      .selectFrom('invitations')
      .leftJoin('accounts', 'accounts.id', 'invitations.invited_by')
      .selectAll('invitations')
      .select('accounts.email as inviter')
      .where('purpose', '=', 'invite')
      .where(isOpenInvitation(now))
      .$if(safeId !== undefined, query => query.where('safe_id', '=', safeId ?? ''))
      .$if(last !== null, query =>
        query.where(rowsBefore(['invitations.created_at', 'invitations.id'], [last, after])),
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
    const row = await selectWhere(this.db, 'invitations', { id: invitationId })
      .select('created_at')
      .executeTakeFirst()
    return row ? Number(row.created_at) : null
  }

  /** Deletes an unused invitation: any, or only if it is into this Safe. False if there is none. */
  revoke(invitationId: string, safeId?: string): Promise<boolean> {
    return this.database.write(async trx => {
      return hasEffect(
        deleteWhere(trx, 'invitations', { id: invitationId, purpose: 'invite' }).$if(
          safeId !== undefined,
          query => query.where('safe_id', '=', safeId ?? ''),
        ),
      )
    })
  }

  /**
   * Consumes a link to reset a password, sets it and ends all sessions. A mailed link
   * proves the address. With any other, an administrator lets the account sign in without the OpenID provider. Null if the
   * link is not valid.
   */
  resetPassword(tokenHash: string, now: number, passwordHash: string): Promise<Account | null> {
    return this.database.write(async trx => {
      const used = await deleteWhere(trx, 'invitations', { token_hash: tokenHash, purpose: 'reset' })
        .where('expires_at', '>', now)
        .returning(['account_id', 'email'])
        .executeTakeFirst()
      if (!used?.account_id) return null
      const effect = used.email === null ? { provider_only: 0 } : { email_proven: 1 }
      const row = await updateWhere(trx, 'accounts', { id: used.account_id })
        .set(e => ({ password_hash: passwordHash, session_epoch: e('session_epoch', '+', 1), ...effect }))
        .returning(['id', 'email', 'role', 'created_at'])
        .executeTakeFirst()
      return row ? { id: row.id, email: row.email, role: row.role, createdAt: Number(row.created_at) } : null
    }, ACCOUNTS_LOCK)
  }

  /**
   * Consumes the link and adds the account, or does neither. A set-up link is `unknown` once an account
   * exists. An invitation into a Safe is then reserved for the new account; joining the Safe consumes it. The account is
   * linked to `identity`, which must not be linked yet.
   */
  accept(tokenHash: string, now: number, account: NewAccount, identity: IdentityKey | null = null) {
    return this.database.write(async trx => {
      const isFirst = await noAccounts(trx)
      const existing = selectWhere(trx, 'accounts', { email: account.email }).select('id')
      if (await existing.executeTakeFirst()) return 'email-taken'
      const open = await selectWhere(trx, 'invitations', { token_hash: tokenHash })
        .selectAll()
        .where(isOpenInvitation(now))
        .executeTakeFirst()
      const isReservedForOther = open?.email !== null && open?.email !== account.email
      if (!open || open.purpose === 'reset' || isReservedForOther || (open.purpose === 'setup' && !isFirst))
        return 'unknown'
      await (open.safe_id === null
        ? deleteWhere(trx, 'invitations', { token_hash: tokenHash }).execute()
        : updateWhere(trx, 'invitations', { token_hash: tokenHash }).set({ email: account.email }).execute())
      const added = await insertAccount(trx, account)
      if (added && identity) await insertIdentity(trx, identity, added.id, now)
      return added ?? 'email-taken'
    }, ACCOUNTS_LOCK)
  }
}

async function hasTooManyPending(db: Kysely<Schema>, accountId: string): Promise<boolean> {
  const pending = await selectWhere(db, 'invitations', { invited_by: accountId })
    .select('id')
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
