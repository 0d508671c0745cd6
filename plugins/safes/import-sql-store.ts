import { type Kysely, sql } from 'kysely'
import type { Schema } from '../database/schema.js'
import type { Database } from '../database.js'
import { ROW_TABLES, RowInserts } from './row-inserts.js'
import type { Import } from './safe.js'
import {
  type Abandoned,
  type ImportReport,
  type ImportStore,
  type Lease,
  MAX_ROWS,
  type RowBatch,
} from './store.js'

/** Imports in SQL. Each method is one short transaction. */
export class SqlImportStore implements ImportStore {
  readonly #database: Database
  readonly #inserts: RowInserts

  constructor(database: Database) {
    this.#database = database
    this.#inserts = new RowInserts(database.read)
  }

  async begin(safeId: string, start: Parameters<ImportStore['begin']>[1]): Promise<Import> {
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
    return importOf(row)
  }

  append(safeId: string, importId: number, rows: RowBatch, lease: Lease): Promise<number | null> {
    return this.#database.write(async trx => {
      if (!(await this.#renew(trx, safeId, importId, lease))) return null
      return this.#inserts.insert(trx, safeId, importId, rows)
    })
  }

  renew(safeId: string, importId: number, lease: Lease): Promise<boolean> {
    return this.#database.write(trx => this.#renew(trx, safeId, importId, lease))
  }

  finish(safeId: string, importId: number, contentHash: string, lease: Lease): Promise<boolean> {
    return this.#database.write(trx =>
      this.#renew(trx, safeId, importId, lease, { content_hash: contentHash }),
    )
  }

  findSame(safeId: string, importId: number): Promise<number | null> {
    return sameImport(this.#database.read, safeId, importId)
  }

  commit(safeId: string, importId: number, at: number): Promise<'committed' | { sameAs: number } | null> {
    return this.#database.write(async trx => {
      const waiting = await oneImport(trx, safeId, importId)
        .where('status', '=', 'staged')
        .select('content_hash')
        .executeTakeFirst()
      if (!waiting?.content_hash) return null
      const sameAs = await sameImport(trx, safeId, importId)
      if (sameAs !== null) return { sameAs }
      await trx
        .updateTable('imports')
        .set({ status: 'committed', committed_at: at, lease_expires_at: 0 })
        .where('safe_id', '=', safeId)
        .where('id', '=', importId)
        .execute()
      await raiseVersion(trx, safeId)
      return 'committed'
    }, safeId)
  }

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

  undo(safeId: string, importId: number, leaseUntil: number): Promise<boolean> {
    return this.#database.write(async trx => {
      const found = await oneImport(trx, safeId, importId)
        .where('status', '!=', 'undone')
        .select('status')
        .executeTakeFirst()
      if (!found) return false
      await trx
        .updateTable('imports')
        .set({ status: 'undone', lease_expires_at: leaseUntil })
        .where('safe_id', '=', safeId)
        .where('id', '=', importId)
        .execute()
      if (found.status === 'committed') await raiseVersion(trx, safeId)
      return true
    }, safeId)
  }

  dropSome(safeId: string, importId: number, leaseUntil: number): Promise<boolean> {
    return this.#database.write(async trx => {
      let left = MAX_ROWS
      for (const { table, key } of ROW_TABLES) {
        const columns = sql.join(key.map(column => sql.ref(column)))
        const where = sql`safe_id = ${safeId} and import_id = ${importId}`
        const deleted = await sql`delete from ${sql.table(table)} where ${where} and (${columns}) in
          (select ${columns} from ${sql.table(table)} where ${where} limit ${left})`.execute(trx)
        left -= Number(deleted.numAffectedRows ?? 0)
        if (left <= 0) break
      }
      if (left === MAX_ROWS) return false
      await trx
        .updateTable('imports')
        .set({ lease_expires_at: leaseUntil })
        .where('safe_id', '=', safeId)
        .where('id', '=', importId)
        .where('status', 'in', ['failed', 'undone'])
        .execute()
      return true
    })
  }

  async dropped(safeId: string, importId: number): Promise<void> {
    await this.#database.write(trx =>
      trx
        .updateTable('imports')
        .set({ lease_expires_at: 0 })
        .where('safe_id', '=', safeId)
        .where('id', '=', importId)
        .where('status', 'in', ['failed', 'undone'])
        .execute(),
    )
  }

  async takeAbandoned(now: number, leaseUntil: number, problem: string): Promise<Abandoned[]> {
    const found = await this.#database.read
      .selectFrom('imports')
      .select(['safe_id', 'id'])
      .where('lease_expires_at', '>', 0)
      .where('lease_expires_at', '<', now)
      .execute()
    const taken: Abandoned[] = []
    for (const { safe_id, id } of found) {
      if (await this.#take(safe_id, id, now, leaseUntil, problem)) taken.push({ safeId: safe_id, id })
    }
    return taken
  }

  async list(safeId: string): Promise<Import[]> {
    const rows = await this.#database.read
      .selectFrom('imports')
      .selectAll()
      .where('safe_id', '=', safeId)
      .where('status', '!=', 'undone')
      .orderBy('id', 'desc')
      .execute()
    return rows.map(importOf)
  }

  async find(safeId: string, importId: number): Promise<Import | null> {
    const row = await oneImport(this.#database.read, safeId, importId)
      .where('status', '!=', 'undone')
      .selectAll()
      .executeTakeFirst()
    return row ? importOf(row) : null
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

  /** Of two processes that sweep at once only one takes an import: the lease is compared and set in one step. */
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
        .set({ lease_expires_at: leaseUntil, ...(row.status === 'staged' ? failed : {}) })
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
    .where('other.status', '=', 'committed')
    .select('other.id')
    .executeTakeFirst()
  return same?.id ?? null
}

const raiseVersion = (trx: Kysely<Schema>, safeId: string) =>
  trx
    .updateTable('safes')
    .set(eb => ({ version: eb('version', '+', 1) }))
    .where('id', '=', safeId)
    .execute()

function importOf(row: {
  safe_id: string
  id: number
  status: Schema['imports']['status']
  source: string
  format: string
  content_hash: string | null
  report_json: string
  created_at: number
  committed_at: number | null
}): Import {
  const report: ImportReport = JSON.parse(row.report_json)
  return {
    safeId: row.safe_id,
    id: row.id,
    status: statusOf(row),
    source: row.source,
    format: row.format,
    ...report,
    createdAt: row.created_at,
    committedAt: row.committed_at,
  }
}

/** The hash is known once all bytes were read: that tells an import being read from one that waits. */
function statusOf(row: { status: Schema['imports']['status']; content_hash: string | null }) {
  if (row.status === 'staged' && row.content_hash === null) return 'staging'
  return row.status === 'undone' ? 'failed' : row.status
}
