import { setImmediate as otherRequests } from 'node:timers/promises'
import { type SqlBool, sql } from 'kysely'
import type { Db, Schema } from '../../../platform/storage/schema.js'
import { inPages, on, selectWhere } from '../../../platform/storage/where.js'
import { NO_DOCUMENTS } from './types.js'
import { isAmong, newestDocuments } from './visible-documents.sql.js'

/** How a document of an import compares with the current one at the same path. */
type DocumentChange = 'added' | 'changed' | 'unchanged'

/** Documents compared at once. */
const AT_ONCE = 200

/**
 * Compares the documents of an import, without pictures, with the current ones at the same paths, a page at a time.
 * Documents of early releases, stored only as passages, count as changed: the import adds their whole text.
 */
export async function* comparedDocuments(
  db: Db,
  safeId: string,
  importId: number,
): AsyncGenerator<DocumentChange[]> {
  const imported = selectWhere(db, 'documents', { safe_id: safeId, import_id: importId })
  const columns = ['id', 'path', 'kind', 'size', 'content_hash'] as const
  for await (const documents of inPages(imported.select(columns), { id: 'id' }, AT_ONCE)) {
    const paths = documents.map(({ path }) => path)
    const inForce = await newestDocuments(db, safeId)
      .where(isAmong(db, safeId, 'd.path', paths))
      .clearSelect()
      .select(['d.path', 'd.size', 'd.content_hash'])
      .execute()
    const known = new Map(inForce.map(document => [document.path, contentOf(document)]))
    yield documents
      .filter(({ kind }) => !NO_DOCUMENTS.includes(kind))
      .map(document => {
        const content = known.get(document.path)
        if (content === undefined) return 'added'
        return content === contentOf(document) ? 'unchanged' : 'changed'
      })
  }
}

/** With the size, because only the beginning of a very long text is stored. */
const contentOf = ({ size, content_hash }: Pick<Schema['documents'], 'size' | 'content_hash'>) =>
  `${size} ${content_hash}`

/** A current document, and the time of its last change. */
export interface RecentDocument {
  /** Its first passage. */
  importId: number
  id: number
  title: string
  /** When the import, the run of its folder, or the edit was committed. */
  at: number
  /** The date of its file, or the date in the document; 0: unknown. */
  written: number
}

const CHANGED_AT_ONCE = 500

/** The current documents that have passages, by path, one part at a time. */
export async function* changedDocuments(db: Db, safeId: string): AsyncGenerator<RecentDocument[]> {
  for (let last = ''; ; await otherRequests()) {
    const page = newestDocuments(db, safeId)
      .where('d.path', '>', last)
      .orderBy('d.path')
      .limit(CHANGED_AT_ONCE)
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
    if (!end || rows.length < CHANGED_AT_ONCE) return
    last = end.path
  }
}
