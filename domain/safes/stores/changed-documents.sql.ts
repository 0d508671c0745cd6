import { setImmediate as otherRequests } from 'node:timers/promises'
import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Schema } from '../../../platform/storage/schema.js'
import { on } from '../../../platform/storage/where.js'
import { newestDocuments } from './visible-documents.sql.js'

/** A current document, and the time of its last change. */
export interface ChangedDocument {
  /** Its first passage. */
  importId: number
  id: number
  title: string
  /** When the import, the run of its folder, or the edit was committed. */
  at: number
  /** The date of its file, or the date in the document; 0: unknown. */
  written: number
}

const AT_ONCE = 500

/** The current documents that have passages, by path, one part at a time. */
export async function* changedDocuments(
  db: Kysely<Schema>,
  safeId: string,
): AsyncGenerator<ChangedDocument[]> {
  for (let last = ''; ; await otherRequests()) {
    const page = newestDocuments(db, safeId).where('d.path', '>', last).orderBy('d.path').limit(AT_ONCE)
    const rows = await db
      .selectFrom(page.as('d'))
      .leftJoin('synced_files as f', on({ 'f.safe_id': 'd.safe_id', 'f.id': 'd.import_id' }))
      .innerJoin('imports as i', join =>
        join.onRef('i.safe_id', '=', 'd.safe_id').on(sql<SqlBool>`i.id = coalesce(f.from_run, d.import_id)`),
      )
      .select(['d.path', 'd.title', 'd.import_id as importId'])
      .select(({ fn }) => fn.coalesce('f.modified_at', 'd.time').as('written'))
      .select(({ fn }) => fn.coalesce('i.committed_at', 'i.created_at').as('at'))
      .select(
        sql<number | null>`(select min(p.id) from passages p
          where p.safe_id = d.safe_id and p.import_id = d.import_id and p.document_id = d.id)`.as('id'),
      )
      .orderBy('d.path')
      .execute()
    yield rows.flatMap(({ id, title, ...row }) => {
      const [importId = 0, at = 0, written = 0] = [row.importId, row.at, row.written].map(Number)
      return id === null ? [] : [{ importId, id: Number(id), title, at, written }]
    })
    const end = rows.at(-1)
    if (!end || rows.length < AT_ONCE) return
    last = end.path
  }
}
