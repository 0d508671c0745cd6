import { type Selectable, sql } from 'kysely'
import type { Db, Schema } from '../../../platform/storage/schema.js'
import { deleteSome } from '../../../platform/storage/slices.js'
import {
  deleteWhere,
  hasEffect,
  rowsBefore,
  selectWhere,
  tables,
  updateWhere,
} from '../../../platform/storage/where.js'
import { fromRow, toRow } from '../../names.js'
import { isOpenInvitation } from '../../open-invitation.js'
import { Store } from '../../store.js'
import type { Account } from '../account.js'
import type { Invitation, InvitationPage, PendingInvitation } from '../invitation.js'
import type { IdentityKey } from '../openid/identity.js'
import { ACCOUNTS_LOCK, insertAccount, noAccounts } from './account.sql.js'
import { insertIdentity } from './openid-identity.sql.js'
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
    const { purpose, createdAt, invitedBy, accountId, safe, ...rest } = invitation
    return this.database.write(async trx => {
      await deleteSome(trx, 'invitations', sql`expires_at <= ${createdAt}`)
      if (purpose === 'setup') await tables.remove(trx, 'invitations', { purpose: 'setup' })
      if (purpose === 'reset')
        await tables.remove(trx, 'invitations', { purpose: 'reset', account_id: accountId })
      if (purpose === 'invite' && invitedBy !== null && (await hasTooManyPending(trx, invitedBy)))
        return 'too many'
      const target = { safe_id: safe?.id ?? null, role: safe?.role ?? null }
      const row = toRow({ ...rest, purpose, createdAt, invitedBy, accountId })
      await tables.insert(trx, 'invitations', { ...row, ...target })
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
    const row = await tables.find(this.db, 'invitations', { id: invitationId }, ['created_at'])
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
        ? tables.remove(trx, 'invitations', { token_hash: tokenHash })
        : tables.change(trx, 'invitations', { token_hash: tokenHash }, { email: account.email }))
      const added = await insertAccount(trx, account)
      if (added && identity) await insertIdentity(trx, identity, added.id, now)
      return added ?? 'email-taken'
    }, ACCOUNTS_LOCK)
  }
}

async function hasTooManyPending(db: Db, accountId: string): Promise<boolean> {
  const pending = await selectWhere(db, 'invitations', { invited_by: accountId })
    .select('id')
    .limit(PENDING_AT_MOST)
    .execute()
  return pending.length === PENDING_AT_MOST
}

function invitationOf(row: Selectable<Schema['invitations']>): Invitation {
  const { safeId, role, id, ...rest } = fromRow(row)
  return { ...rest, id: id ?? '', safe: safeId !== null && role !== null ? { id: safeId, role } : null }
}
