import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Database } from '../../storage/database.js'
import type { Schema } from '../../storage/schema.js'
import type {
  Counts,
  Import,
  ImportListOptions,
  ListOptions,
  OpenImport,
  SyncRun,
  UndoneImport,
} from '../safe.js'
import { hashWithImport, nextHash } from './content-hash.js'
import { importOf } from './import-row.js'
import { deleteSomeRows, RowInserts } from './row-inserts.js'
import {
  type Abandoned,
  IMPORTS_AT_ONCE,
  type ImportRange,
  type ImportReport,
  type Lease,
  type RowBatch,
} from './types.js'

/** Imports taken over in one step of a sweep: few enough to drop them before their leases expire. */
const ABANDONED_AT_ONCE = 20

/**
 * Imports and their rows (GRAPH §1). A lease of 0 means that no work is left; any other expired lease means
 * that another process must drop the remaining rows.
 */
export class ImportStore {
  readonly #database: Database
  readonly #inserts: RowInserts

  constructor(database: Database) {
    this.#database = database
    this.#inserts = new RowInserts(database.read)
  }

  /** Creates an import in progress. Ids count 1, 2, 3 … within their Safe and are never reused. */
  async begin(
    safeId: string,
    start: { source: string; format: string; createdBy: string; at: number; report: ImportReport } & Lease,
  ): Promise<Import> {
    const row = await this.#database.write(async trx => {
      const { latest } = await trx
        .selectFrom('imports')
        .where('safe_id', '=', safeId)
        .select(eb => eb.fn.max('id').as('latest'))
        .executeTakeFirstOrThrow()
      return trx
        .insertInto('imports')
        .values({
          safe_id: safeId,
          id: (latest ?? 0) + 1,
          status: 'staged',
          source: start.source,
          format: start.format,
          content_hash: null,
          report_json: JSON.stringify(start.report),
          lease_expires_at: start.leaseUntil,
          created_by: start.createdBy,
          created_at: start.at,
          committed_at: null,
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
    return this.#database.write(async trx => {
      if (!(await this.#renew(trx, safeId, importId, lease))) return null
      return this.#inserts.insert(trx, safeId, importId, rows)
    })
  }

  /** False when the import is no longer in progress. */
  renew(safeId: string, importId: number, lease: Lease): Promise<boolean> {
    return this.#database.write(trx => this.#renew(trx, safeId, importId, lease))
  }

  /**
   * Marks the file as completely read; the import now waits for its owner's approval. Returns false like
   * `renew`.
   */
  finish(safeId: string, importId: number, contentHash: string, lease: Lease): Promise<boolean> {
    return this.#database.write(trx =>
      this.#renew(trx, safeId, importId, lease, { content_hash: contentHash }),
    )
  }

  /** The committed import with the same bytes in this Safe, or null. */
  findSame(safeId: string, importId: number): Promise<number | null> {
    return sameImport(this.#database.read, safeId, importId)
  }

  /**
   * Makes a finished import visible and increments the Safe's version, atomically. If the same bytes are
   * already committed in this Safe, nothing changes and that import's id is returned. Null when it was not
   * waiting.
   */
  commit(safeId: string, importId: number, at: number): Promise<'committed' | { sameAs: number } | null> {
    return this.#database.write(async trx => {
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
      await trx
        .updateTable('imports')
        .set({ status: 'committed', committed_at: at, lease_expires_at: 0 })
        .where('safe_id', '=', safeId)
        .where('id', '=', importId)
        .execute()
      const content_hash = hashWithImport(safe.content_hash, importId, waiting.content_hash)
      await changeSafe(trx, safeId, countsOf(waiting.report_json), 1, { content_hash })
      return 'committed'
    }, safeId)
  }

  /** Rejects a staged import, whose rows must then be dropped. False when it was not staged. */
  fail(safeId: string, importId: number, { leaseUntil, report }: Required<Lease>): Promise<boolean> {
    return this.#database.write(async trx => {
      const changed = await trx
        .updateTable('imports')
        .set({ status: 'failed', lease_expires_at: leaseUntil, report_json: JSON.stringify(report) })
        .where('safe_id', '=', safeId)
        .where('id', '=', importId)
        .where('status', '=', 'staged')
        .executeTakeFirst()
      return changed.numUpdatedRows > 0n
    }, safeId)
  }

  /**
   * Hides an import immediately. If it was visible, the Safe's version increases and its rows are `kept` until
   * `restorableUntil` (ADR 45); otherwise they must be dropped. Null when there was none. A merged import (ADR
   * 31) stays; the result is then the time of the first import that can be undone. A run of a synced folder stays
   * if a later one is visible (`laterRun`), or what it had replaced is gone (null).
   */
  undo(safeId: string, importId: number, leaseUntil: number, restorableUntil: number) {
    return this.#database.write(async trx => {
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
      await trx
        .updateTable('imports')
        .set({
          status: 'undone',
          lease_expires_at: wasVisible ? restorableUntil : leaseUntil,
          restorable_until: wasVisible ? restorableUntil : 0,
        })
        .where('safe_id', '=', safeId)
        .where('id', '=', importId)
        .execute()
      if (!wasVisible) return 'dropped'
      const content_hash = nextHash(safe.content_hash, `undo ${importId}`)
      const undone_version = safe.version + 1
      // What the run had replaced comes back, and only the newest index knows it.
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
    return this.#database.write(async trx => {
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
      await trx
        .updateTable('imports')
        .set({ status: 'committed', lease_expires_at: 0, restorable_until: 0 })
        .where('safe_id', '=', safeId)
        .where('id', '=', importId)
        .execute()
      const content_hash = nextHash(safe.content_hash, `restore ${importId}`)
      await changeSafe(trx, safeId, countsOf(found.report_json), 1, { content_hash })
      return 'restored'
    }, safeId)
  }

  /** Undone imports that can be restored at `now`, newest first; those before `page.after`. */
  async undone(
    safeId: string,
    now: number,
    { after, limit = IMPORTS_AT_ONCE }: ListOptions<number> = {},
  ): Promise<UndoneImport[]> {
    const rows = await this.#database.read
      .selectFrom('imports')
      .select(['id', 'source', 'format', 'report_json', 'restorable_until as restorableUntil'])
      .where('safe_id', '=', safeId)
      // A literal, because otherwise SQLite does not use the index of restorable imports.
      .where('restorable_until', '>', sql.lit(0))
      .where('restorable_until', '>', now)
      .$if(after !== undefined, query => query.where('id', '<', after ?? 0))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    return rows.map(({ report_json, ...row }) => {
      const { counts, sync }: ImportReport = JSON.parse(report_json)
      return { safeId, ...row, counts, ...(sync ? { sync } : {}) }
    })
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

  /** Newest first, without undone imports; those before `page.after`. */
  async list(
    safeId: string,
    { after, limit = IMPORTS_AT_ONCE, withoutRuns = false }: ImportListOptions = {},
  ): Promise<Import[]> {
    const rows = await this.#database.read
      .selectFrom('imports')
      .selectAll()
      .where('safe_id', '=', safeId)
      .where('status', '!=', 'undone')
      .$if(withoutRuns, query => query.where('format', '!=', 'sync'))
      .$if(after !== undefined, query => query.where('id', '<', after ?? 0))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    const merged = await this.#mergedThrough(safeId)
    return rows.map(row => importOf(row, merged))
  }

  /**
   * Imports that this account began since `since`, in Safes that it owns, and that wait for its decision or were
   * rejected; newest first.
   */
  async open(accountId: string, since: number, limit: number): Promise<OpenImport[]> {
    const rows = await this.#database.read
      .selectFrom('imports as i')
      .innerJoin('memberships as m', join =>
        join
          .onRef('m.safe_id', '=', 'i.safe_id')
          .on('m.account_id', '=', accountId)
          .on('m.role', '=', 'owner'),
      )
      .innerJoin('safes as s', 's.id', 'i.safe_id')
      .where('i.created_by', '=', accountId)
      .where('i.created_at', '>', since)
      // Literals, because otherwise SQLite does not use the index of open imports.
      .where(sql<SqlBool>`i.status in ('staged', 'failed')`)
      .where(eb => eb.or([eb('i.status', '=', 'failed'), eb('i.content_hash', 'is not', null)]))
      .orderBy('i.created_at', 'desc')
      .limit(limit)
      .selectAll('i')
      .select('s.name as safe_name')
      .execute()
    return rows.map(({ safe_name: safeName, ...row }) => ({ ...importOf(row, 0), safeName }))
  }

  async find(safeId: string, importId: number): Promise<Import | null> {
    const row = await oneImport(this.#database.read, safeId, importId)
      .where('status', '!=', 'undone')
      .selectAll()
      .executeTakeFirst()
    return row ? importOf(row, await this.#mergedThrough(safeId)) : null
  }

  async #mergedThrough(safeId: string): Promise<number> {
    const safe = await safeOf(this.#database.read, safeId)
    return safe ? mergedThrough(safe) : 0
  }

  async #renew(
    trx: Kysely<Schema>,
    safeId: string,
    importId: number,
    { leaseUntil, report }: Lease,
    more: { content_hash?: string } = {},
  ): Promise<boolean> {
    const changed = await trx
      .updateTable('imports')
      .set({
        lease_expires_at: leaseUntil,
        ...(report ? { report_json: JSON.stringify(report) } : {}),
        ...more,
      })
      .where('safe_id', '=', safeId)
      .where('id', '=', importId)
      .where('status', '=', 'staged')
      .where('content_hash', 'is', null)
      .executeTakeFirst()
    return changed.numUpdatedRows > 0n
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

const oneImport = (db: Kysely<Schema>, safeId: string, importId: number) =>
  db.selectFrom('imports').where('imports.safe_id', '=', safeId).where('imports.id', '=', importId)

async function sameImport(db: Kysely<Schema>, safeId: string, importId: number): Promise<number | null> {
  const same = await oneImport(db, safeId, importId)
    .innerJoin('imports as other', join =>
      join
        .onRef('other.safe_id', '=', 'imports.safe_id')
        .onRef('other.content_hash', '=', 'imports.content_hash'),
    )
    // A literal, because otherwise SQLite does not use the index of committed imports.
    .where('other.status', '=', sql.lit('committed'))
    .select('other.id')
    .executeTakeFirst()
  return same?.id ?? null
}

const safeOf = (db: Kysely<Schema>, safeId: string) =>
  db
    .selectFrom('safes')
    .where('id', '=', safeId)
    .select(['version', 'content_hash', 'merged_through', 'merging_through'])
    .executeTakeFirst()

/** Imports up to this id can no longer be undone. */
const mergedThrough = (safe: { merged_through: number; merging_through: number }) =>
  Math.max(safe.merged_through, safe.merging_through)

async function firstUnmergedAt(db: Kysely<Schema>, safeId: string, merged: number): Promise<number> {
  const first = await db
    .selectFrom('imports')
    .where('safe_id', '=', safeId)
    .where('id', '>', merged)
    .where('status', '=', 'committed')
    .orderBy('id')
    .select('created_at')
    .executeTakeFirst()
  return first?.created_at ?? 0
}

/** The rows of an import become visible (`by` 1) or hidden (-1). */
const changeSafe = (
  trx: Kysely<Schema>,
  safeId: string,
  counts: Counts,
  by: 1 | -1,
  more: { content_hash: string; undone_version?: number; readable_from?: number },
) =>
  trx
    .updateTable('safes')
    .set(eb => ({
      ...more,
      version: eb('version', '+', 1),
      entities: eb('entities', '+', by * counts.entities),
      relations: eb('relations', '+', by * counts.relations),
      passages: eb('passages', '+', by * counts.passages),
      import_count: eb('import_count', '+', by),
    }))
    .where('id', '=', safeId)
    .execute()

/**
 * Makes a run of a synced folder visible: all its versions of files at once (ADR 52). False when the folder has
 * changed since, or, given `now`, a run is at work.
 */
async function showRun(
  trx: Kysely<Schema>,
  safeId: string,
  { folder, before, after }: SyncRun,
  run: number,
  now?: number,
): Promise<boolean> {
  const changed = await trx
    .updateTable('synced_folders')
    .set({ visible_run: run, ...after })
    .where('safe_id', '=', safeId)
    .where('id', '=', folder)
    .where('visible_run', '=', before.run)
    .$if(now === undefined, query => query.where('pending_run', '=', run))
    .$if(now !== undefined, query => query.where('held_until', '<=', now ?? 0))
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** Goes back to the state before the newest run of a synced folder. Returns why not, or null. */
async function hideRun(trx: Kysely<Schema>, safeId: string, { folder, before }: SyncRun, run: number) {
  const { run: visible_run, ...counts } = before
  const { numUpdatedRows } = await trx
    .updateTable('synced_folders')
    .set({ visible_run, ...counts })
    .where('safe_id', '=', safeId)
    .where('id', '=', folder)
    .where('visible_run', '=', run)
    .where('dropped_run', '<', run)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return null
  const now = await trx
    .selectFrom('synced_folders')
    .where('safe_id', '=', safeId)
    .where('id', '=', folder)
    .select('visible_run')
    .executeTakeFirst()
  return { laterRun: now && now.visible_run !== run ? now.visible_run : null }
}

const countsOf = (reportJson: string): Counts => (JSON.parse(reportJson) as ImportReport).counts

/** Rejected and undone imports of a range. */
const hiddenOf = (trx: Kysely<Schema>, safeId: string, [from, to]: ImportRange) =>
  trx
    .updateTable('imports')
    .where('safe_id', '=', safeId)
    .where('id', '>=', from)
    .where('id', '<=', to)
    .where('status', 'in', ['failed', 'undone'])
