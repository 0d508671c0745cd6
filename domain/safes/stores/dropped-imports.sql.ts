import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../platform/storage/database.js'
import type { Schema } from '../../../platform/storage/schema.js'
import { oneImport } from './import-effects.js'
import { deleteSomeRows } from './row-inserts.js'
import type { Abandoned, ImportRange, ImportReport } from './types.js'

/** Imports taken over in one step of a sweep: few enough to drop them before their leases expire. */
const ABANDONED_AT_ONCE = 20

/** The rows of imports that were rejected, undone or abandoned. */
export class DroppedImports {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Drops at most `MAX_ROWS` rows of these imports, all of them hidden, and renews their leases. False when
   * none are left.
   */
  dropSome(safeId: string, imports: ImportRange, leaseUntil: number): Promise<boolean> {
    return this.#database.write(async trx => {
      if (!(await deleteSomeRows(trx, safeId, imports))) return false
      await hiddenOf(trx, safeId, imports).set({ lease_expires_at: leaseUntil }).execute()
      return true
    })
  }

  /** Records that no rows of these rejected or undone imports are left. */
  async dropped(safeId: string, imports: ImportRange): Promise<void> {
    await this.#database.write(trx => hiddenOf(trx, safeId, imports).set({ lease_expires_at: 0 }).execute())
  }

  /** Takes over imports whose lease expired before `now`; staged ones fail with `problem`. */
  async takeAbandoned(now: number, leaseUntil: number, problem: string): Promise<Abandoned[]> {
    const found = await this.#database.read
      .selectFrom('imports')
      .select(['safe_id', 'id'])
      .where('lease_expires_at', '>', sql.lit(0))
      .where('lease_expires_at', '<', now)
      .limit(ABANDONED_AT_ONCE)
      .execute()
    const taken: Abandoned[] = []
    for (const { safe_id, id } of found) {
      if (await this.#take(safe_id, id, now, leaseUntil, problem)) taken.push({ safeId: safe_id, id })
    }
    return taken
  }

  /** If two processes sweep at once, only one takes an import: the lease is compared and set in one step. */
  #take(safeId: string, id: number, now: number, leaseUntil: number, problem: string): Promise<boolean> {
    return this.#database.write(async trx => {
      const row = await oneImport(trx, safeId, id)
        .where('lease_expires_at', '>', 0)
        .where('lease_expires_at', '<', now)
        .select(['status', 'report_json'])
        .executeTakeFirst()
      if (!row) return false
      const report: ImportReport = JSON.parse(row.report_json)
      const failed = { status: 'failed' as const, report_json: JSON.stringify({ ...report, problem }) }
      await trx
        .updateTable('imports')
        .set({
          lease_expires_at: leaseUntil,
          restorable_until: 0,
          ...(row.status === 'staged' ? failed : {}),
        })
        .where('safe_id', '=', safeId)
        .where('id', '=', id)
        .execute()
      return true
    }, safeId)
  }
}

/** Rejected and undone imports of a range. */
const hiddenOf = (trx: Kysely<Schema>, safeId: string, [from, to]: ImportRange) =>
  trx
    .updateTable('imports')
    .where('safe_id', '=', safeId)
    .where('id', '>=', from)
    .where('id', '<=', to)
    .where('status', 'in', ['failed', 'undone'])
