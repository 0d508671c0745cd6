import { sql } from 'kysely'
import type { Database } from '../../../platform/storage/database.js'
import { rowsAfter } from '../../../platform/storage/keyset.js'
import { isOpenInvitation } from '../../../platform/storage/open-invitation.js'
import type { ListOptions, Member, Role } from '../safe.js'
import { isLastOwner } from './owners.js'
import { MEMBERS_AT_ONCE } from './types.js'

/** The members of Safes. */
export class MemberStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Ordered by id. */
  async list(safeId: string, { after, limit = MEMBERS_AT_ONCE }: ListOptions<string> = {}) {
    return this.#database.read
      .selectFrom('memberships')
      .where('safe_id', '=', safeId)
      .$if(after !== undefined, query => query.where('account_id', '>', after ?? ''))
      .orderBy('account_id')
      .limit(limit)
      .select(['account_id as accountId', 'role'])
      .execute()
  }

  /** The members with their e-mail addresses, in the order in which they joined. */
  async people(
    safeId: string,
    { after, limit = MEMBERS_AT_ONCE }: ListOptions<string> = {},
  ): Promise<Member[]> {
    const last = after === undefined ? null : await this.#joinedAt(safeId, after)
    if (after !== undefined && last === null) return []
    const rows = await this.#database.read
      .selectFrom('memberships as m')
      .innerJoin('accounts as a', 'a.id', 'm.account_id')
      .leftJoin('accounts as i', 'i.id', 'm.invited_by')
      .where('m.safe_id', '=', safeId)
      .$if(last !== null, query => query.where(rowsAfter(['m.created_at', 'm.account_id'], [last, after])))
      .orderBy('m.created_at')
      .orderBy('m.account_id')
      .limit(limit)
      .select(['a.id as accountId', 'a.email', 'm.role', 'm.created_at as since', 'i.email as inviter'])
      .execute()
    return rows.map(row => ({ ...row, since: Number(row.since) }))
  }

  async #joinedAt(safeId: string, accountId: string): Promise<number | null> {
    const row = await this.#database.read
      .selectFrom('memberships')
      .where('safe_id', '=', safeId)
      .where('account_id', '=', accountId)
      .select('created_at')
      .executeTakeFirst()
    return row ? Number(row.created_at) : null
  }

  /** Adds a member or changes its role. Nothing changes if that would leave the Safe without an owner. */
  share(safeId: string, accountId: string, role: Role, at: number) {
    return this.#database.write(async trx => {
      if (role !== 'owner' && (await isLastOwner(trx, safeId, accountId))) return 'last owner'
      const added = await trx
        .insertInto('memberships')
        .columns(['safe_id', 'account_id', 'role', 'created_at'])
        .expression(
          trx
            .selectFrom('accounts')
            .where('id', '=', accountId)
            .select([
              sql.val(safeId).as('safe_id'),
              'id as account_id',
              sql.val(role).as('role'),
              sql<number>`cast(${at} as bigint)`.as('created_at'),
            ]),
        )
        .onConflict(conflict => conflict.columns(['safe_id', 'account_id']).doUpdateSet({ role }))
        .executeTakeFirst()
      return added.numInsertedOrUpdatedRows ? 'shared' : 'no account'
    }, safeId)
  }

  /** Changes the role of a member. Nothing changes if that would leave the Safe without an owner. */
  changeRole(safeId: string, accountId: string, role: Role) {
    return this.#database.write(async trx => {
      if (role !== 'owner' && (await isLastOwner(trx, safeId, accountId))) return 'last owner'
      const { numUpdatedRows } = await trx
        .updateTable('memberships')
        .set({ role })
        .where('safe_id', '=', safeId)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return numUpdatedRows > 0n ? 'changed' : 'no member'
    }, safeId)
  }

  /**
   * Consumes an invitation into this Safe and adds the account. A member keeps its role, unless the invitation
   * makes it an owner. False if the invitation is not valid, or for another e-mail address.
   */
  join(
    safeId: string,
    tokenHash: string,
    account: { id: string; email: string },
    at: number,
  ): Promise<boolean> {
    return this.#database.write(async trx => {
      const invitation = await trx
        .selectFrom('invitations')
        .selectAll()
        .where('token_hash', '=', tokenHash)
        .where('safe_id', '=', safeId)
        .where(isOpenInvitation(at))
        .executeTakeFirst()
      if (!invitation?.role || (invitation.email !== null && invitation.email !== account.email)) return false
      const { role, invited_by } = invitation
      const used = await trx
        .deleteFrom('invitations')
        .where('token_hash', '=', tokenHash)
        .returning('id')
        .executeTakeFirst()
      if (!used) return false
      await trx
        .insertInto('memberships')
        .values({ safe_id: safeId, account_id: account.id, role, created_at: at, invited_by })
        .onConflict(conflict => {
          const existing = conflict.columns(['safe_id', 'account_id'])
          return role === 'owner' ? existing.doUpdateSet({ role }) : existing.doNothing()
        })
        .execute()
      return true
    }, safeId)
  }

  /** Removes a membership, except that of the last owner. */
  unshare(safeId: string, accountId: string) {
    return this.#database.write(async trx => {
      if (await isLastOwner(trx, safeId, accountId)) return 'last owner'
      const deleted = await trx
        .deleteFrom('memberships')
        .where('safe_id', '=', safeId)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return deleted.numDeletedRows > 0n ? 'unshared' : 'no member'
    }, safeId)
  }
}
