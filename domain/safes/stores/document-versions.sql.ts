import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../platform/storage/schema.js'
import { on } from '../../../platform/storage/where.js'
import type { ImportReport } from '../safe.js'
import { documentOf, type StoredDocument } from './document-row.js'
import { FIRST_VERSION } from './types.js'

/** The origin of a version. */
interface VersionRow {
  document: StoredDocument
  /** The import, or the run of a synced folder. */
  run: number
  source: string
  email: string | null
  at: number
  report: ImportReport
}

/**
 * The current and earlier versions of the document at a path, the newest first, as long as their imports and runs can be
 * undone.
 */
export async function documentVersions(
  db: Db,
  safeId: string,
  path: string,
  limit: number,
): Promise<VersionRow[]> {
  const rows = await db
    .selectFrom('documents as d')
    .leftJoin('synced_files as f', on({ 'f.safe_id': 'd.safe_id', 'f.id': 'd.import_id' }))
    .leftJoin('synced_folders as o', on({ 'o.safe_id': 'f.safe_id', 'o.id': 'f.folder_id' }))
    .innerJoin('imports as i', join =>
      join.onRef('i.safe_id', '=', 'd.safe_id').on(sql<SqlBool>`i.id = coalesce(f.from_run, d.import_id)`),
    )
    .leftJoin('accounts as a', 'a.id', 'i.created_by')
    .where(eb => eb.and({ 'd.safe_id': safeId, 'd.path': path }))
    .where('d.kind', 'not in', ['address', 'image'])
    .where('i.status', '=', 'committed')
    .where(sql<SqlBool>`(d.import_id < ${FIRST_VERSION} or f.from_run <= o.visible_run)`)
    .orderBy('i.id', 'desc')
    .orderBy('d.import_id', 'desc')
    .limit(limit)
    .selectAll('d')
    .select(['i.id as run', 'i.source', 'i.report_json', 'i.created_at', 'i.committed_at', 'a.email'])
    .execute()
  return rows.map(row => ({
    document: documentOf(row),
    run: Number(row.run),
    source: row.source,
    email: row.email,
    at: Number(row.committed_at ?? row.created_at),
    report: JSON.parse(row.report_json),
  }))
}
