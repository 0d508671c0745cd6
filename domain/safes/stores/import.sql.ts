import { sql } from 'kysely'
import type { Db } from '../../../platform/storage/schema.js'
import { selectWhere, tables, updateWhere } from '../../../platform/storage/where.js'
import { of, Store } from '../../store.js'
import type { Import, ImportReport } from '../safe.js'
import {
  changeSafe,
  countsOf,
  firstUnmergedAt,
  hashWithImport,
  importOf,
  mergedThrough,
  nextHash,
  oneImport,
  safeOf,
  sameImport,
} from './import-effects.js'
import { deleteSomeRows, RowInserts } from './row-inserts.js'
import { hideRun, showRun } from './synced-rows.js'
import type { ImportRange, Lease, RowBatch } from './types.js'

/** Imports taken over in one step of a sweep: few enough to drop them before their leases expire. */
const ABANDONED_AT_ONCE = 20

/**
 * Writes imports, makes them visible and hides them (GRAPH §1). A lease of 0 means that no work is left; any other expired lease means
 * that another process must drop the remaining rows.
 */
export class ImportStore extends Store {
  readonly #inserts = new RowInserts(this.db)

  /** Creates an import in progress. Ids count 1, 2, 3 … within their Safe and are never reused. */
  async begin(
    safeId: string,
    start: { source: string; format: string; createdBy: string; at: number; report: ImportReport } & Lease,
  ): Promise<Import> {
    const { source, format, createdBy, at, report, leaseUntil } = start
    const row = await this.database.write(async trx => {
      const { latest } = await selectWhere(trx, 'imports', { safe_id: safeId })
        .select(eb => eb.fn.max('id').as('latest'))
        .executeTakeFirstOrThrow()
      return trx
        .insertInto('imports')
        .values({
          ...{ safe_id: safeId, id: (latest ?? 0) + 1, status: 'staged' },
          ...{ source, format, content_hash: null, report_json: JSON.stringify(report) },
          ...{ lease_expires_at: leaseUntil, created_by: createdBy, created_at: at, committed_at: null },
        })
        .returningAll()
        .executeTakeFirstOrThrow()
    }, safeId)
    return importOf(row, 0)
  }

  /**
   * Adds rows in one transaction and renews the lease. Returns how many entities were new in this import, or
   * null when the import is no longer in progress (undone, swept, its Safe removed) and nothing was written.
   */
  append(safeId: string, importId: number, rows: RowBatch, lease: Lease): Promise<number | null> {
    return this.database.write(async trx => {
      if (!(await this.#renew(trx, safeId, importId, lease))) return null
      return this.#inserts.insert(trx, safeId, importId, rows)
    })
  }

  /** Between two `append`s: lets other writers proceed. */
  giveWay = () => this.database.giveWay()

  /** False when the import is no longer in progress. */
  renew(safeId: string, importId: number, lease: Lease): Promise<boolean> {
    return this.database.write(trx => this.#renew(trx, safeId, importId, lease))
  }

  /**
   * Marks the file as completely read; the import now waits for its owner's approval. Returns false like
   * `renew`.
   */
  finish(safeId: string, importId: number, contentHash: string, lease: Lease): Promise<boolean> {
    return this.database.write(trx =>
      this.#renew(trx, safeId, importId, lease, { content_hash: contentHash }),
    )
  }

  /** The committed import with the same bytes in this Safe, or null. */
  findSame = of(this.db, sameImport)

  /**
   * Makes a finished import visible and increments the Safe's version, atomically. If the same bytes are
   * already committed in this Safe, nothing changes and that import's id is returned. Null when it was not
   * waiting.
   */
  commit(safeId: string, importId: number, at: number): Promise<'committed' | { sameAs: number } | null> {
    return this.database.write(async trx => {
      const waiting = await oneImport(trx, safeId, importId)
        .where('status', '=', 'staged')
        .select(['content_hash', 'report_json'])
        .executeTakeFirst()
      if (!waiting?.content_hash) return null
      const sameAs = await sameImport(trx, safeId, importId)
      if (sameAs !== null) return { sameAs }
      const safe = await safeOf(trx, safeId)
      if (!safe) return null
      const { sync }: ImportReport = JSON.parse(waiting.report_json)
      if (sync && !(await showRun(trx, safeId, sync, importId))) return null
      await changeOne(trx, safeId, importId)
        .set({ status: 'committed', committed_at: at, lease_expires_at: 0 })
        .execute()
      const content_hash = hashWithImport(safe.content_hash, importId, waiting.content_hash)
      await changeSafe(trx, safeId, countsOf(waiting.report_json), 1, { content_hash })
      return 'committed'
    }, safeId)
  }

  /** Rejects a staged import, whose rows must then be dropped. False when it was not staged. */
  fail(safeId: string, importId: number, { leaseUntil, report }: Required<Lease>): Promise<boolean> {
    const staged = { safe_id: safeId, id: importId, status: 'staged' } as const
    const report_json = JSON.stringify(report)
    const failed = { status: 'failed', lease_expires_at: leaseUntil, report_json } as const
    return this.database.write(trx => tables.change(trx, 'imports', staged, failed), safeId)
  }

  /**
   * Hides an import immediately. If it was visible, the Safe's version increases and its rows are `kept` until
   * `restorableUntil` (ADR 45); otherwise they must be dropped. Null when there was none. A merged import (ADR
   * 31) stays; the result is then the time of the first import that can be undone. A run of a synced folder stays
   * if a later one is visible (`laterRun`), or the versions it had replaced no longer exist (null).
   */
  undo(safeId: string, importId: number, leaseUntil: number, restorableUntil: number) {
    return this.database.write(async trx => {
      const found = await oneImport(trx, safeId, importId)
        .where('status', '!=', 'undone')
        .select(['status', 'report_json'])
        .executeTakeFirst()
      const safe = await safeOf(trx, safeId)
      if (!found || !safe) return null
      const wasVisible = found.status === 'committed'
      if (wasVisible && importId <= mergedThrough(safe)) {
        return { mergedBefore: await firstUnmergedAt(trx, safeId, mergedThrough(safe)) }
      }
      const { sync }: ImportReport = JSON.parse(found.report_json)
      const refused = wasVisible && sync ? await hideRun(trx, safeId, sync, importId) : null
      if (refused) return refused
      await changeOne(trx, safeId, importId)
        .set({
          status: 'undone',
          lease_expires_at: wasVisible ? restorableUntil : leaseUntil,
          restorable_until: wasVisible ? restorableUntil : 0,
        })
        .execute()
      if (!wasVisible) return 'dropped'
      const content_hash = nextHash(safe.content_hash, `undo ${importId}`)
      const undone_version = safe.version + 1
      // The versions that the run had replaced become visible again, and only the newest index contains them.
      const readable_from = sync ? { readable_from: undone_version } : {}
      const more = { content_hash, undone_version, ...readable_from }
      await changeSafe(trx, safeId, countsOf(found.report_json), -1, more)
      return 'kept'
    }, safeId)
  }

  /**
   * Makes an undone import visible again and increments the Safe's version. Null when it cannot be restored at
   * `now`. If the same bytes have been committed since, nothing changes and that import's id is returned.
   */
  restore(safeId: string, importId: number, now: number): Promise<'restored' | { sameAs: number } | null> {
    return this.database.write(async trx => {
      const found = await oneImport(trx, safeId, importId)
        .where('status', '=', 'undone')
        .where('restorable_until', '>', now)
        .select('report_json')
        .executeTakeFirst()
      const safe = await safeOf(trx, safeId)
      if (!found || !safe) return null
      const sameAs = await sameImport(trx, safeId, importId)
      if (sameAs !== null) return { sameAs }
      const { sync }: ImportReport = JSON.parse(found.report_json)
      if (sync && !(await showRun(trx, safeId, sync, importId, now))) return null
      await changeOne(trx, safeId, importId)
        .set({ status: 'committed', lease_expires_at: 0, restorable_until: 0 })
        .execute()
      const content_hash = nextHash(safe.content_hash, `restore ${importId}`)
      await changeSafe(trx, safeId, countsOf(found.report_json), 1, { content_hash })
      return 'restored'
    }, safeId)
  }

  /**
   * Drops at most `MAX_ROWS` rows of these imports, all of them hidden, and renews their leases. False when
   * none are left.
   */
  dropSome(safeId: string, imports: ImportRange, leaseUntil: number): Promise<boolean> {
    return this.database.write(async trx => {
      if (!(await deleteSomeRows(trx, safeId, imports))) return false
      await hiddenOf(trx, safeId, imports).set({ lease_expires_at: leaseUntil }).execute()
      return true
    })
  }

  /** Records that no rows of these rejected or undone imports are left. */
  async dropped(safeId: string, imports: ImportRange): Promise<void> {
    await this.database.write(trx => hiddenOf(trx, safeId, imports).set({ lease_expires_at: 0 }).execute())
  }

  /**
   * Takes over imports whose lease expired before `now`, because their process died or their owner never approved them;
   * staged ones fail with `problem`.
   */
  async takeAbandoned(now: number, leaseUntil: number, problem: string) {
    const found = await this.db
      .selectFrom('imports')
      .select(['safe_id', 'id'])
      .where('lease_expires_at', '>', sql.lit(0))
      .where('lease_expires_at', '<', now)
      .limit(ABANDONED_AT_ONCE)
      .execute()
    const taken: { safeId: string; id: number }[] = []
    for (const { safe_id, id } of found) {
      if (await this.#take(safe_id, id, now, leaseUntil, problem)) taken.push({ safeId: safe_id, id })
    }
    return taken
  }

  /** If two processes sweep at once, only one takes an import: the lease is compared and set in one step. */
  #take(
    safeId: string,
    importId: number,
    now: number,
    leaseUntil: number,
    problem: string,
  ): Promise<boolean> {
    return this.database.write(async trx => {
      const row = await oneImport(trx, safeId, importId)
        .where('lease_expires_at', '>', 0)
        .where('lease_expires_at', '<', now)
        .select(['status', 'report_json'])
        .executeTakeFirst()
      if (!row) return false
      const report: ImportReport = JSON.parse(row.report_json)
      const failed = { status: 'failed' as const, report_json: JSON.stringify({ ...report, problem }) }
      await changeOne(trx, safeId, importId)
        .set({
          lease_expires_at: leaseUntil,
          restorable_until: 0,
          ...(row.status === 'staged' ? failed : {}),
        })
        .execute()
      return true
    }, safeId)
  }

  async #renew(
    trx: Db,
    safeId: string,
    importId: number,
    { leaseUntil, report }: Lease,
    more: { content_hash?: string } = {},
  ): Promise<boolean> {
    const reading = { safe_id: safeId, id: importId, status: 'staged', content_hash: null } as const
    const reported = report ? { report_json: JSON.stringify(report) } : {}
    return tables.change(trx, 'imports', reading, { lease_expires_at: leaseUntil, ...reported, ...more })
  }
}

/** Rejected and undone imports of a range. */
const hiddenOf = (trx: Db, safeId: string, [from, to]: ImportRange) =>
  updateWhere(trx, 'imports', { safe_id: safeId })
    .where('id', '>=', from)
    .where('id', '<=', to)
    .where('status', 'in', ['failed', 'undone'])

const changeOne = (trx: Db, safeId: string, importId: number) =>
  updateWhere(trx, 'imports', { safe_id: safeId, id: importId })
