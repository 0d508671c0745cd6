import { type CompiledQuery, type Kysely, sql } from 'kysely'
import type { Schema } from '../database/schema.js'
import type { Database } from '../database.js'
import { ListQuery } from './list-query.js'
import type { Counts, Role, Safe } from './safe.js'
import type { ImportReport, SafeStore } from './store.js'

interface MembershipRow {
  name: string
  version: number
  role: Role
}

interface ReadableRow extends MembershipRow {
  id: string
  created_at: number
}

/** Of one committed import. */
interface ReportRow {
  safe_id: string
  report_json: string
}

/** Safes and memberships in SQL. */
export class SqlSafeStore implements SafeStore {
  readonly #database: Database
  readonly #membership: (safeId: string, accountId: string) => Promise<MembershipRow[]>
  /** Parameter: account id; of `#readableOne` also the Safe's. */
  readonly #readableBy: CompiledQuery<ReadableRow>
  readonly #readableOne: CompiledQuery<ReadableRow>
  readonly #reports: ListQuery<ReportRow>

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
      .orderBy('s.created_at')
      .orderBy('s.id')
      .select(['s.id', 's.name', 's.version', 's.created_at', 'm.role'])
    this.#readableBy = readable.compile()
    this.#readableOne = readable.where('m.safe_id', '=', '').compile()
    this.#reports = new ListQuery(database.read, (safes = 0) =>
      database.read
        .selectFrom('imports')
        .where('status', '=', 'committed')
        .where('safe_id', 'in', Array(safes).fill(''))
        .select(['safe_id', 'report_json'])
        .compile(),
    )
  }

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

  remove(safeId: string, leaseUntil: number): Promise<number[]> {
    return this.#database.write(async trx => {
      await trx.deleteFrom('memberships').where('safe_id', '=', safeId).execute()
      await trx.deleteFrom('safes').where('id', '=', safeId).execute()
      const imports = await trx
        .updateTable('imports')
        .set({ status: 'undone', lease_expires_at: leaseUntil })
        .where('safe_id', '=', safeId)
        .returning('id')
        .execute()
      return imports.map(row => row.id)
    }, safeId)
  }

  readableBy(accountId: string) {
    return this.#readable(this.#readableBy, accountId)
  }

  async readable(accountId: string, safeId: string) {
    const [safe] = await this.#readable(this.#readableOne, accountId, safeId)
    return safe ?? null
  }

  async membership(accountId: string, safeId: string): Promise<MembershipRow | null> {
    return (await this.#membership(safeId, accountId))[0] ?? null
  }

  async members(safeId: string): Promise<{ accountId: string; role: Role }[]> {
    return this.#database.read
      .selectFrom('memberships')
      .where('safe_id', '=', safeId)
      .orderBy('created_at')
      .orderBy('account_id')
      .select(['account_id as accountId', 'role'])
      .execute()
  }

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

  unshare(safeId: string, accountId: string) {
    return this.#database.write(async trx => {
      if (await isLastOwner(trx, safeId, accountId)) return 'last owner'
      const gone = await trx
        .deleteFrom('memberships')
        .where('safe_id', '=', safeId)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return gone.numDeletedRows > 0n ? 'unshared' : 'no member'
    }, safeId)
  }

  async #readable(query: CompiledQuery<ReadableRow>, ...parameters: string[]) {
    const { rows } = await this.#database.read.executeQuery<ReadableRow>({ ...query, parameters })
    const safes = new Map(
      rows.map(({ id, name, version, created_at: createdAt, role }) => {
        const counts: Counts = { entities: 0, relations: 0, passages: 0 }
        return [id, { id, name, version, createdAt, role, counts }]
      }),
    )
    for (const { safe_id, report_json } of await this.#reports.rows('committed', [...safes.keys()])) {
      const { counts }: ImportReport = JSON.parse(report_json)
      addTo(safes.get(safe_id)?.counts, counts)
    }
    return [...safes.values()]
  }
}

function addTo(sum: Counts | undefined, more: Counts) {
  if (!sum) return
  sum.entities += more.entities
  sum.relations += more.relations
  sum.passages += more.passages
}

/** A Safe is never left without an owner. */
async function isLastOwner(trx: Kysely<Schema>, safeId: string, accountId: string): Promise<boolean> {
  const owners = await trx
    .selectFrom('memberships')
    .where('safe_id', '=', safeId)
    .where('role', '=', 'owner')
    .select('account_id')
    .execute()
  return owners.length === 1 && owners[0]?.account_id === accountId
}
