import { sql } from 'kysely'
import type { Db } from '../../../platform/storage/schema.js'
import { deleteWhere, rowsAfter, selectWhere, tables } from '../../../platform/storage/where.js'
import { toRow } from '../../names.js'
import { isOpenInvitation } from '../../open-invitation.js'
import { Store } from '../../store.js'
import type { ListOptions, Member, Membership, OwnedSafe, Role, Safe, SafeCounts } from '../safe.js'
import { COUNTS, isLastOwner, type ReadableRow, readableBy, type StoredSafe, safeOf } from './safe-row.js'
import { LISTED_AT_ONCE } from './types.js'

/** Maximum Safes returned for one name. */
const NAMED_ALIKE = 10

/** Which Safes exist, and who may read them. */
export class SafeStore extends Store {
  readonly #membership = this.database.prepare<Membership>(
    this.db
      .selectFrom('memberships as m')
      .innerJoin('safes as s', 's.id', 'm.safe_id')
      .where(eb => eb.and({ 'm.safe_id': '', 'm.account_id': '' }))
      .select(['s.name', 's.version', 'm.role'])
      .compile(),
  )
  readonly #readable = readableBy(this.db, '')
  readonly #readableOne = this.database.prepare<ReadableRow>(
    this.#readable.where('m.safe_id', '=', '').compile(),
  )
  readonly #readableAfter = this.database.prepare<ReadableRow>(
    this.#readable
      .where(rowsAfter(['m.created_at', 'm.safe_id'], [0, '']))
      .limit(0)
      .compile(),
  )
  readonly #byLimit = new Map<number, (accountId: string) => Promise<ReadableRow[]>>()

  /** One statement per limit, since there are few: with a bound limit, SQLite takes 18 µs for two Safes instead of 8. */
  #readableFirst(accountId: string, limit: number): Promise<ReadableRow[]> {
    const first =
      this.#byLimit.get(limit) ??
      this.database.prepare<ReadableRow>(this.#readable.limit(sql.lit(limit)).compile())
    this.#byLimit.set(limit, first)
    return first(accountId)
  }

  /** Creates the Safe with its first owner. */
  async create(safe: Safe, ownerId: string): Promise<void> {
    await this.database.write(async trx => {
      const { id, createdAt: created_at } = safe
      await tables.insert(trx, 'safes', toRow(safe))
      await tables.insert(trx, 'memberships', { safe_id: id, account_id: ownerId, role: 'owner', created_at })
    })
  }

  async rename(safeId: string, name: string): Promise<void> {
    await this.changeRows('safes', { id: safeId }, { name })
  }

  /** The Safes this account may read, in the order in which it received them. */
  async readableBy(accountId: string, { after, limit = LISTED_AT_ONCE }: ListOptions<string> = {}) {
    if (after === undefined) return (await this.#readableFirst(accountId, limit)).map(safeOf)
    const last = await this.#joinedAt(after, accountId)
    return last === null ? [] : (await this.#readableAfter(accountId, last, after, limit)).map(safeOf)
  }

  /** One Safe in the form of `readableBy`, or null when this account may not read it. */
  async readable(accountId: string, safeId: string) {
    const [safe] = await this.#readableOne(accountId, safeId)
    return safe ? safeOf(safe) : null
  }

  /** Those of these Safes that this account may read, in the order of `readableBy`. */
  async readableAmong(accountId: string, safeIds: readonly string[]) {
    if (safeIds.length === 0) return []
    const rows = await readableBy(this.db, accountId).where('m.safe_id', 'in', safeIds).execute()
    return rows.map(safeOf)
  }

  /** Every Safe with one of its owners, ordered by id, in pages. */
  async all({ after, limit = LISTED_AT_ONCE }: ListOptions<string> = {}): Promise<OwnedSafe<StoredSafe>[]> {
    const rows = await owned(this.db)
      .$if(after !== undefined, query => query.where('s.id', '>', after ?? ''))
      .orderBy('s.id')
      .limit(limit)
      .execute()
    return rows.flatMap(ownedOf)
  }

  /** The Safe with this id, or else up to 10 with this name. */
  async named(idOrName: string): Promise<OwnedSafe<StoredSafe>[]> {
    const byId = await owned(this.db).where('s.id', '=', idOrName).execute()
    if (byId.length > 0) return byId.flatMap(ownedOf)
    const byName = owned(this.db).where('s.name', '=', idOrName).orderBy('s.id')
    return (await byName.limit(NAMED_ALIKE).execute()).flatMap(ownedOf)
  }

  /** Stores the counts of the Safe at this version, unless it has changed. */
  async setCounts(safeId: string, version: number, counts: SafeCounts): Promise<void> {
    const { entities, relations, passages, documents } = counts
    const counted_json = JSON.stringify({ entities, relations, passages, documents })
    await this.changeRows('safes', { id: safeId, version }, { counted_version: version, counted_json })
  }

  /** Null when this account may not read this Safe. One indexed look-up, because it precedes every read. */
  async membership(accountId: string, safeId: string): Promise<Membership | null> {
    return (await this.#membership(safeId, accountId))[0] ?? null
  }

  /** Ordered by id. */
  async members(safeId: string, { after, limit = LISTED_AT_ONCE }: ListOptions<string> = {}) {
    return selectWhere(this.db, 'memberships', { safe_id: safeId })
      .$if(after !== undefined, query => query.where('account_id', '>', after ?? ''))
      .orderBy('account_id')
      .limit(limit)
      .select(['account_id as accountId', 'role'])
      .execute()
  }

  /** The members with their e-mail addresses, in the order in which they joined. */
  async people(
    safeId: string,
    { after, limit = LISTED_AT_ONCE }: ListOptions<string> = {},
  ): Promise<Member[]> {
    const last = after === undefined ? null : await this.#joinedAt(safeId, after)
    if (after !== undefined && last === null) return []
    return this.db
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
  }

  async #joinedAt(safeId: string, accountId: string): Promise<number | null> {
    const row = await tables.find(this.db, 'memberships', { safe_id: safeId, account_id: accountId }, [
      'created_at',
    ])
    return row ? Number(row.created_at) : null
  }

  /** Adds a member or changes its role. Nothing changes if that would leave the Safe without an owner. */
  share(safeId: string, accountId: string, role: Role, at: number) {
    return this.database.write(async trx => {
      if (role !== 'owner' && (await isLastOwner(trx, safeId, accountId))) return 'last owner'
      if (!(await tables.find(trx, 'accounts', { id: accountId }, ['id']))) return 'no account'
      await trx
        .insertInto('memberships')
        .values({ safe_id: safeId, account_id: accountId, role, created_at: at })
        .onConflict(conflict => conflict.columns(['safe_id', 'account_id']).doUpdateSet({ role }))
        .execute()
      return 'shared'
    }, safeId)
  }

  /** Changes the role of a member. Nothing changes if that would leave the Safe without an owner. */
  changeRole(safeId: string, accountId: string, role: Role) {
    return this.database.write(async trx => {
      if (role !== 'owner' && (await isLastOwner(trx, safeId, accountId))) return 'last owner'
      const isMember = await tables.change(
        trx,
        'memberships',
        { safe_id: safeId, account_id: accountId },
        { role },
      )
      return isMember ? 'changed' : 'no member'
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
    return this.database.write(async trx => {
      const invitation = await selectWhere(trx, 'invitations', { token_hash: tokenHash, safe_id: safeId })
        .selectAll()
        .where(isOpenInvitation(at))
        .executeTakeFirst()
      if (!invitation?.role || (invitation.email !== null && invitation.email !== account.email)) return false
      const { role, invited_by } = invitation
      const used = await deleteWhere(trx, 'invitations', { token_hash: tokenHash })
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
    return this.database.write(async trx => {
      if (await isLastOwner(trx, safeId, accountId)) return 'last owner'
      const isMember = await tables.remove(trx, 'memberships', { safe_id: safeId, account_id: accountId })
      return isMember ? 'unshared' : 'no member'
    }, safeId)
  }
}

/** Safes with one of their owners. A Safe that is being removed has no owner and is left out. */
const owned = (db: Db) =>
  db
    .selectFrom('safes as s')
    .select(['s.id', 's.name', 's.created_at', ...COUNTS])
    .select(eb =>
      eb
        .selectFrom('memberships as m')
        .whereRef('m.safe_id', '=', 's.id')
        .where('m.role', '=', 'owner')
        .select(m => m.fn.min('m.account_id').as('owner'))
        .as('owner'),
    )

function ownedOf({
  owner,
  ...row
}: Omit<ReadableRow, 'role'> & { owner: string | null }): OwnedSafe<StoredSafe>[] {
  return owner === null ? [] : [{ safe: safeOf({ ...row, role: 'owner' }), ownerId: owner }]
}
