import { type SqlBool, sql } from 'kysely'
import { on, selectWhere } from '../../../platform/storage/where.js'
import { ReadingStore } from '../../store.js'
import type {
  Import,
  ImportListOptions,
  ImportReport,
  ListOptions,
  OpenImport,
  UndoneImport,
} from '../safe.js'
import { importOf, mergedThrough, oneImport, safeOf } from './import-effects.js'
import { FIRST_VERSION, LISTED_AT_ONCE, NO_DOCUMENTS } from './types.js'

/** A document that a change added or removed. */
export interface ChangedDocument {
  path: string
  title: string
}

/** Imports as members see them. */
export class ListedImports extends ReadingStore {
  /** Newest first, without undone imports; those before `page.after`. */
  async list(
    safeId: string,
    { after, limit = LISTED_AT_ONCE, withoutRuns = false }: ImportListOptions = {},
  ): Promise<Import[]> {
    const rows = await selectWhere(this.db, 'imports', { safe_id: safeId })
      .selectAll()
      .select(eb => eb.selectFrom('accounts').select('email').whereRef('id', '=', 'created_by').as('email'))
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
    const rows = await this.db
      .selectFrom('imports as i')
      .innerJoin('memberships as m', 'm.safe_id', 'i.safe_id')
      .innerJoin('safes as s', 's.id', 'i.safe_id')
      .where(eb => eb.and({ 'i.created_by': accountId, 'm.account_id': accountId, 'm.role': 'owner' }))
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
    const row = await oneImport(this.db, safeId, importId)
      .where('status', '!=', 'undone')
      .selectAll()
      .executeTakeFirst()
    return row ? importOf(row, await this.#mergedThrough(safeId)) : null
  }

  /** The imports that became visible last, runs of synced folders included, the latest first. */
  latest(safeId: string, limit: number) {
    return selectWhere(this.db, 'imports', { safe_id: safeId, status: 'committed' })
      .orderBy('id', 'desc')
      .limit(limit)
      .select(['id', 'source', 'format', 'report_json', 'created_at', 'committed_at'])
      .execute()
  }

  /** The first documents that an import added, or a run of this synced folder added or removed. */
  documentsOf(
    safeId: string,
    importId: number,
    folder: number | null,
    limit: number,
  ): Promise<ChangedDocument[]> {
    if (folder === null)
      return selectWhere(this.db, 'documents', { safe_id: safeId, import_id: importId })
        .where('kind', 'not in', NO_DOCUMENTS)
        .orderBy('id')
        .limit(limit)
        .select(['path', 'title'])
        .execute()
    return this.db
      .selectFrom('synced_files as f')
      .innerJoin('documents as d', on({ 'd.safe_id': 'f.safe_id', 'd.import_id': 'f.id' }))
      .where(eb => eb.and({ 'f.safe_id': safeId, 'f.folder_id': folder }))
      .where(eb => eb.or({ 'f.from_run': importId, 'f.until_run': importId }))
      .where('f.id', '>=', FIRST_VERSION)
      .where('d.kind', 'not in', NO_DOCUMENTS)
      .groupBy('d.path')
      .limit(limit)
      .select(['d.path', eb => eb.fn.max('d.title').as('title')])
      .execute()
  }

  async #mergedThrough(safeId: string): Promise<number> {
    const safe = await safeOf(this.db, safeId)
    return safe ? mergedThrough(safe) : 0
  }

  /** Undone imports that can be restored at `now`, newest first; those before `page.after`. */
  async undone(
    safeId: string,
    now: number,
    { after, limit = LISTED_AT_ONCE }: ListOptions<number> = {},
  ): Promise<UndoneImport[]> {
    const rows = await selectWhere(this.db, 'imports', { safe_id: safeId })
      .select(['id', 'source', 'format', 'report_json', 'restorable_until as restorableUntil'])
      // A literal, because otherwise SQLite does not use the index of restorable imports.
      .where('restorable_until', '>', sql.lit(0))
      .where('restorable_until', '>', now)
      .$if(after !== undefined, query => query.where('id', '<', after ?? 0))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    return rows.map(({ report_json, ...row }) => {
      const { counts, documents, sync }: ImportReport = JSON.parse(report_json)
      return {
        ...{ safeId, ...row, counts },
        ...(documents === undefined ? {} : { documents }),
        ...(sync ? { sync } : {}),
      }
    })
  }
}
