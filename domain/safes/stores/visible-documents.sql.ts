import { PostgresAdapter, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../platform/storage/schema.js'
import { FIRST_VERSION } from './types.js'

/** The current documents and pictures of a Safe, as `d`; several may have one path. */
export function visibleFiles(db: Db, safeId: string) {
  return visibleRows(db, safeId).where('d.kind', '<>', 'address')
}

/** The current addresses that links may use for documents. */
export function visibleAddresses(db: Db, safeId: string) {
  return visibleRows(db, safeId).where('d.kind', '=', 'address')
}

function visibleRows(db: Db, safeId: string) {
  return db.selectFrom('documents as d').where('d.safe_id', '=', safeId).where(isVisible('d')).selectAll('d')
}

/** The same without pictures, which documents show. */
export function visibleDocuments(db: Db, safeId: string) {
  return visibleFiles(db, safeId).where('d.kind', '<>', 'image')
}

/** The newest of the current documents of each path, as `d`; including pictures if requested. */
export function newestDocuments(db: Db, safeId: string, withImages = false) {
  return (withImages ? visibleFiles(db, safeId) : visibleDocuments(db, safeId))
    .where(
      sql<SqlBool>`not exists (select 1 from documents n where n.safe_id = d.safe_id and n.path = d.path
      and n.import_id > d.import_id and ${isVisible('n')})`,
    )
    .select(changedAt.as('changed'))
}

/** When a document changed: its own date, or the time when this version was added to the Safe. Milliseconds since 1970. */
export const changedAt = sql<number | string>`coalesce(d.time, (select coalesce(i.committed_at, i.created_at)
  from imports i where i.safe_id = d.safe_id and i.id = case when d.import_id < ${sql.lit(FIRST_VERSION)} then d.import_id
    else (select f.from_run from synced_files f where f.safe_id = d.safe_id and f.id = d.import_id) end), 0)`

/**
 * Whether a column has one of these values: one parameter, so the statement is parsed once for any number. With the
 * Safe's id, for which SQLite takes the index of the column rather than read all documents of the Safe.
 */
export function isAmong(db: Db, safeId: string, column: 'd.path' | 'd.name_key', values: readonly string[]) {
  const json = JSON.stringify([...new Set(values)])
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const each = isPostgres ? sql`json_array_elements_text(cast(${json} as json))` : sql`json_each(${json})`
  return sql<SqlBool>`(d.safe_id, ${sql.ref(column)}) in (select cast(${safeId} as text), value from ${each})`
}

/** Whether the layer of a document is visible: an import, the one that others were merged into, or a version of a file. */
function isVisible(table: 'd' | 'n') {
  const [safe, layer] = [sql.ref(`${table}.safe_id`), sql.ref(`${table}.import_id`)]
  return sql<SqlBool>`case when ${layer} < ${FIRST_VERSION} then
      exists (select 1 from imports i join safes s on s.id = i.safe_id where i.safe_id = ${safe} and i.id = ${layer}
        and i.status = 'committed' and (i.id > s.merged_through or i.id = s.merged_layer))
    else
      exists (select 1 from synced_files f join synced_folders o on o.safe_id = f.safe_id and o.id = f.folder_id
        where f.safe_id = ${safe} and f.id = ${layer} and f.from_run <= o.visible_run and f.until_run > o.visible_run)
    end`
}
