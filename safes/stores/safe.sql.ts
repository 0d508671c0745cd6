import { setImmediate as otherRequests } from 'node:timers/promises'
import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Database } from '../../storage/database.js'
import type { Schema } from '../../storage/schema.js'
import type { Counts, ListOptions, OwnedSafe, Role, Safe } from '../safe.js'
import { type ImportRange, MEMBERS_AT_ONCE, SAFES_AT_ONCE } from './types.js'

interface MembershipRow {
  name: string
  version: number
  role: Role
}

interface ReadableRow extends MembershipRow, Counts {
  id: string
  created_at: number
}

/** Imports of a removed Safe marked in one transaction. */
const REMOVED_AT_ONCE = 500

/** Safes returned for one name. */
const NAMED_ALIKE = 10

/** Memberships examined at once to find Safes that have none. */
const LOOKED_AT_AT_ONCE = 500

/** Safes and memberships in SQL. */
export class SafeStore {
  readonly #database: Database
  readonly #membership: (safeId: string, accountId: string) => Promise<MembershipRow[]>
  readonly #readableOne: (accountId: string, safeId: string) => Promise<ReadableRow[]>
  readonly #readableFirst: (accountId: string, limit: number) => Promise<ReadableRow[]>
  readonly #readableAfter: (
    accountId: string,
    joinedAt: number,
    after: string,
    limit: number,
  ) => Promise<ReadableRow[]>

  constructor(database: Database) {
    this.#database = database
    this.#membership = database.prepare(
      database.read
        .selectFrom('memberships as m')
        .innerJoin('safes as s', 's.id', 'm.safe_id')
        .where('m.safe_id', '=', '')
        .where('m.account_id', '=', '')
        .select(['s.name', 's.version', 'm.role'])
        .compile(),
    )
    const readable = database.read
      .selectFrom('memberships as m')
      .innerJoin('safes as s', 's.id', 'm.safe_id')
      .where('m.account_id', '=', '')
      .orderBy('m.created_at')
      .orderBy('m.safe_id')
      .select(['s.id', 's.name', 's.version', 's.created_at', 'm.role'])
      .select(['s.entities', 's.relations', 's.passages'])
    this.#readableOne = database.prepare(readable.where('m.safe_id', '=', '').compile())
    // One statement for each limit, of which there are few: if the limit is bound, SQLite takes 18 µs for two
    // Safes instead of 8.
    const byLimit = new Map<number, (accountId: string) => Promise<ReadableRow[]>>()
    this.#readableFirst = (accountId, limit) => {
      const known = byLimit.get(limit) ?? database.prepare(readable.limit(sql.lit(limit)).compile())
      byLimit.set(limit, known)
      return known(accountId)
    }
    const after = sql<SqlBool>`(m.created_at, m.safe_id) > (${0}, ${''})`
    this.#readableAfter = database.prepare(readable.where(after).limit(0).compile())
  }

  /** Creates the Safe with its first owner. */
  async create(safe: Safe, ownerId: string): Promise<void> {
    await this.#database.write(async trx => {
      await trx
        .insertInto('safes')
        .values({ id: safe.id, name: safe.name, version: safe.version, created_at: safe.createdAt })
        .execute()
      await trx
        .insertInto('memberships')
        .values({ safe_id: safe.id, account_id: ownerId, role: 'owner', created_at: safe.createdAt })
        .execute()
    })
  }

  async rename(safeId: string, name: string): Promise<void> {
    await this.#database.write(trx =>
      trx.updateTable('safes').set({ name }).where('id', '=', safeId).execute(),
    )
  }

  /**
   * Removes all memberships, so that nobody can read the Safe any more. `removeSome` then removes the rest in
   * steps.
   */
  async remove(safeId: string): Promise<void> {
    await this.#database.write(
      trx => trx.deleteFrom('memberships').where('safe_id', '=', safeId).execute(),
      safeId,
    )
  }

  /**
   * Marks imports of a removed Safe after `after` as undone, so that their rows can be dropped. Returns their
   * range, or null when none were left and the Safe itself has been deleted.
   */
  removeSome(safeId: string, after: number, leaseUntil: number): Promise<ImportRange | null> {
    return this.#database.write(async trx => {
      const ids = await trx
        .selectFrom('imports')
        .where('safe_id', '=', safeId)
        .where('id', '>', after)
        .where('status', '<>', 'undone')
        .orderBy('id')
        .limit(REMOVED_AT_ONCE)
        .select('id')
        .execute()
      const [from, to] = [ids[0]?.id, ids.at(-1)?.id]
      if (from === undefined || to === undefined) {
        await trx.deleteFrom('safes').where('id', '=', safeId).execute()
        return null
      }
      await trx
        .updateTable('imports')
        .set({ status: 'undone', lease_expires_at: leaseUntil })
        .where('safe_id', '=', safeId)
        .where('id', '>=', from)
        .where('id', '<=', to)
        .execute()
      return [from, to]
    }, safeId)
  }

  /** Safes whose removal was interrupted: those without an owner. */
  async *removed(): AsyncGenerator<string> {
    for (let last = ''; ; ) {
      const rows = await this.#database.read
        .selectFrom('safes as s')
        .leftJoin('memberships as m', 'm.safe_id', 's.id')
        .where('s.id', '>', last)
        .orderBy('s.id')
        .limit(LOOKED_AT_AT_ONCE)
        .select(['s.id', 'm.account_id as member'])
        .execute()
      for (const { id, member } of rows) if (member === null) yield id
      const next = rows.at(-1)?.id
      if (next === undefined) return
      last = next
      await otherRequests()
    }
  }

  /**
   * The Safes this account may read, in the order in which it received them, with the counts of their
   * committed imports.
   */
  async readableBy(accountId: string, { after, limit = SAFES_AT_ONCE }: ListOptions<string> = {}) {
    if (after === undefined) return (await this.#readableFirst(accountId, limit)).map(safeOf)
    const last = await this.#database.read
      .selectFrom('memberships')
      .where('safe_id', '=', after)
      .where('account_id', '=', accountId)
      .select('created_at')
      .executeTakeFirst()
    if (!last) return []
    return (await this.#readableAfter(accountId, last.created_at, after, limit)).map(safeOf)
  }

  /** One Safe in the form of `readableBy`, or null when this account may not read it. */
  async readable(accountId: string, safeId: string) {
    const [safe] = await this.#readableOne(accountId, safeId)
    return safe ? safeOf(safe) : null
  }

  /** Every Safe with one of its owners, ordered by id, in pages. */
  async all({ after, limit = SAFES_AT_ONCE }: ListOptions<string> = {}): Promise<OwnedSafe[]> {
    const rows = await owned(this.#database.read)
      .$if(after !== undefined, query => query.where('s.id', '>', after ?? ''))
      .orderBy('s.id')
      .limit(limit)
      .execute()
    return rows.flatMap(ownedOf)
  }

  /** The Safe with this id, or else up to 10 with this name. */
  async named(idOrName: string): Promise<OwnedSafe[]> {
    const byId = await owned(this.#database.read).where('s.id', '=', idOrName).execute()
    if (byId.length > 0) return byId.flatMap(ownedOf)
    const byName = owned(this.#database.read).where('s.name', '=', idOrName).orderBy('s.id')
    return (await byName.limit(NAMED_ALIKE).execute()).flatMap(ownedOf)
  }

  /** Null when this account may not read this Safe. One indexed look-up, because it precedes every read. */
  async membership(accountId: string, safeId: string): Promise<MembershipRow | null> {
    return (await this.#membership(safeId, accountId))[0] ?? null
  }

  /** Ordered by id. */
  async members(safeId: string, { after, limit = MEMBERS_AT_ONCE }: ListOptions<string> = {}) {
    return this.#database.read
      .selectFrom('memberships')
      .where('safe_id', '=', safeId)
      .$if(after !== undefined, query => query.where('account_id', '>', after ?? ''))
      .orderBy('account_id')
      .limit(limit)
      .select(['account_id as accountId', 'role'])
      .execute()
  }

  /** Whether this account is the only owner. */
  async isOnlyOwner(safeId: string, accountId: string): Promise<boolean> {
    return isLastOwner(this.#database.read, safeId, accountId)
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

function safeOf({ id, name, version, created_at: createdAt, role, ...counts }: ReadableRow) {
  const { entities, relations, passages } = counts
  return { id, name, version, createdAt, role, counts: { entities, relations, passages } }
}

/** Safes with one of their owners. A Safe that is being removed has no owner and is left out. */
const owned = (db: Kysely<Schema>) =>
  db
    .selectFrom('safes as s')
    .select(['s.id', 's.name', 's.version', 's.created_at', 's.entities', 's.relations', 's.passages'])
    .select(eb =>
      eb
        .selectFrom('memberships as m')
        .whereRef('m.safe_id', '=', 's.id')
        .where('m.role', '=', 'owner')
        .select(m => m.fn.min('m.account_id').as('owner'))
        .as('owner'),
    )

function ownedOf({ owner, ...row }: Omit<ReadableRow, 'role'> & { owner: string | null }): OwnedSafe[] {
  return owner === null ? [] : [{ safe: safeOf({ ...row, role: 'owner' }), ownerId: owner }]
}

/** A Safe always keeps at least one owner. */
async function isLastOwner(trx: Kysely<Schema>, safeId: string, accountId: string): Promise<boolean> {
  const owners = await trx
    .selectFrom('memberships')
    .where('safe_id', '=', safeId)
    .where('role', '=', 'owner')
    .limit(2)
    .select('account_id')
    .execute()
  return owners.length === 1 && owners[0]?.account_id === accountId
}
