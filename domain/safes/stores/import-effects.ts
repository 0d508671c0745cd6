import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Schema } from '../../../platform/storage/schema.js'
import { on, selectWhere, tables } from '../../../platform/storage/where.js'
import type { Counts, Import, ImportReport } from '../safe.js'

/** One import of a Safe. */
export const oneImport = (db: Db, safeId: string, importId: number) =>
  db.selectFrom('imports').where('imports.safe_id', '=', safeId).where('imports.id', '=', importId)

/** The committed import with the same bytes as this one, or null. */
export async function sameImport(db: Db, safeId: string, importId: number): Promise<number | null> {
  const same = await oneImport(db, safeId, importId)
    .innerJoin(
      'imports as other',
      on({ 'other.safe_id': 'imports.safe_id', 'other.content_hash': 'imports.content_hash' }),
    )
    // A literal, because otherwise SQLite does not use the index of committed imports.
    .where('other.status', '=', sql.lit('committed'))
    .select('other.id')
    .executeTakeFirst()
  return same?.id ?? null
}

/** Columns of a Safe that change with its imports. */
export const safeOf = (db: Db, safeId: string) =>
  tables.find(db, 'safes', { id: safeId }, ['version', 'content_hash', 'merged_through', 'merging_through'])

/** Imports up to this id can no longer be undone. */
export const mergedThrough = (safe: { merged_through: number; merging_through: number }) =>
  Math.max(safe.merged_through, safe.merging_through)

/** When the first import was made that can still be undone. */
export async function firstUnmergedAt(db: Db, safeId: string, merged: number): Promise<number> {
  const first = await selectWhere(db, 'imports', { safe_id: safeId, status: 'committed' })
    .where('id', '>', merged)
    .orderBy('id')
    .select('created_at')
    .executeTakeFirst()
  return first?.created_at ?? 0
}

/** The rows of an import become visible (`by` 1) or hidden (-1). */
export const changeSafe = (
  trx: Db,
  safeId: string,
  counts: Counts,
  by: 1 | -1,
  more: { content_hash: string; undone_version?: number; readable_from?: number },
) =>
  tables.change(trx, 'safes', { id: safeId }, eb => ({
    ...more,
    version: eb('version', '+', 1),
    entities: eb('entities', '+', by * counts.entities),
    relations: eb('relations', '+', by * counts.relations),
    passages: eb('passages', '+', by * counts.passages),
    import_count: eb('import_count', '+', by),
  }))

/**
 * Changes the answers of a Safe without adding or removing an import. If this retires earlier indexes,
 * none of them may answer while the next one is built.
 */
export async function changeContent(
  trx: Db,
  safeId: string,
  change: string,
  effect: 'retires indexes' | 'keeps indexes',
): Promise<void> {
  const safe = await selectWhere(trx, 'safes', { id: safeId })
    .select(['version', 'content_hash'])
    .executeTakeFirstOrThrow()
  const version = Number(safe.version) + 1
  const content_hash = nextHash(safe.content_hash, change)
  const readable = effect === 'retires indexes' ? { readable_from: version } : {}
  await tables.change(trx, 'safes', { id: safeId }, { version, content_hash, ...readable })
}

/** The counts of an import, from its report. */
export const countsOf = (reportJson: string): Counts => (JSON.parse(reportJson) as ImportReport).counts

/** The Safe's `content_hash` after a change. It identifies the visible rows without a list of imports. */
export const nextHash = (before: string, change: string) =>
  createHash('sha256').update(`${before}\n${change}`).digest('base64url')

/** The hash after committing this import. */
export const hashWithImport = (before: string, importId: number, contentHash: string | null) =>
  nextHash(before, `import ${importId} ${contentHash}`)

type Stored = Schema['imports']
type Row = Pick<Stored, 'safe_id' | 'id' | 'status' | 'source' | 'format' | 'content_hash' | 'report_json'> &
  Pick<Stored, 'created_at' | 'committed_at'> & { email?: string | null }

/** An import as its owner sees it. Imports up to `merged` cannot be undone. */
export function importOf(row: Row, merged: number): Import {
  const { safe_id: safeId, id, source, format, created_at: createdAt, committed_at: committedAt } = row
  const report: ImportReport = JSON.parse(row.report_json)
  const isMerged = row.status === 'committed' && id <= merged
  return {
    ...{ safeId, id, status: statusOf(row), source, format, ...report },
    ...{ by: row.email ?? null, createdAt, committedAt, merged: isMerged },
  }
}

/** The hash is set once all bytes have been read; it distinguishes an import in progress from one that waits. */
function statusOf(row: Pick<Stored, 'status' | 'content_hash'>) {
  if (row.status === 'staged' && row.content_hash === null) return 'staging'
  return row.status === 'undone' ? 'failed' : row.status
}
