import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../platform/storage/database.js'
import { rowsAfter } from '../../../platform/storage/keyset.js'
import type { Schema } from '../../../platform/storage/schema.js'
import type { ListOptions, Membership, OwnedSafe, Safe, SafeCounts } from '../safe.js'
import { COUNTS, type ReadableRow, type StoredSafe, safeOf } from './safe-row.js'
import { SAFES_AT_ONCE } from './types.js'

/** Safes returned for one name. */
const NAMED_ALIKE = 10

/** Which Safes there are, and who may read them. */
export class SafeStore {
  readonly #database: Database
  readonly #membership: (safeId: string, accountId: string) => Promise<Membership[]>
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
      .select(['s.id', 's.name', 's.created_at', 'm.role', ...COUNTS])
    this.#readableOne = database.prepare(readable.where('m.safe_id', '=', '').compile())
    // One statement for each limit, of which there are few: if the limit is bound, SQLite takes 18 µs for two
    // Safes instead of 8.
    const byLimit = new Map<number, (accountId: string) => Promise<ReadableRow[]>>()
    this.#readableFirst = (accountId, limit) => {
      const known = byLimit.get(limit) ?? database.prepare(readable.limit(sql.lit(limit)).compile())
      byLimit.set(limit, known)
      return known(accountId)
    }
    const after = rowsAfter(['m.created_at', 'm.safe_id'], [0, ''])
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

  /** The Safes this account may read, in the order in which it received them. */
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

  /** Those of these Safes that this account may read, in the order of `readableBy`. */
  async readableAmong(accountId: string, safeIds: readonly string[]) {
    if (safeIds.length === 0) return []
    const rows = await this.#database.read
      .selectFrom('memberships as m')
      .innerJoin('safes as s', 's.id', 'm.safe_id')
      .where('m.account_id', '=', accountId)
      .where('m.safe_id', 'in', safeIds)
      .orderBy('m.created_at')
      .orderBy('m.safe_id')
      .select(['s.id', 's.name', 's.created_at', 'm.role', ...COUNTS])
      .execute()
    return rows.map(safeOf)
  }

  /** Every Safe with one of its owners, ordered by id, in pages. */
  async all({ after, limit = SAFES_AT_ONCE }: ListOptions<string> = {}): Promise<OwnedSafe<StoredSafe>[]> {
    const rows = await owned(this.#database.read)
      .$if(after !== undefined, query => query.where('s.id', '>', after ?? ''))
      .orderBy('s.id')
      .limit(limit)
      .execute()
    return rows.flatMap(ownedOf)
  }

  /** The Safe with this id, or else up to 10 with this name. */
  async named(idOrName: string): Promise<OwnedSafe<StoredSafe>[]> {
    const byId = await owned(this.#database.read).where('s.id', '=', idOrName).execute()
    if (byId.length > 0) return byId.flatMap(ownedOf)
    const byName = owned(this.#database.read).where('s.name', '=', idOrName).orderBy('s.id')
    return (await byName.limit(NAMED_ALIKE).execute()).flatMap(ownedOf)
  }

  /** Writes down what the Safe holds at this version, unless it has changed. */
  async setCounts(safeId: string, version: number, counts: SafeCounts): Promise<void> {
    const { entities, relations, passages, documents } = counts
    const counted_json = JSON.stringify({ entities, relations, passages, documents })
    await this.#database.write(trx =>
      trx
        .updateTable('safes')
        .set({ counted_version: version, counted_json })
        .where('id', '=', safeId)
        .where('version', '=', version)
        .execute(),
    )
  }

  /** Null when this account may not read this Safe. One indexed look-up, because it precedes every read. */
  async membership(accountId: string, safeId: string): Promise<Membership | null> {
    return (await this.#membership(safeId, accountId))[0] ?? null
  }
}

/** Safes with one of their owners. A Safe that is being removed has no owner and is left out. */
const owned = (db: Kysely<Schema>) =>
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
