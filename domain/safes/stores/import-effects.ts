import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../../platform/storage/schema.js'
import { on, selectWhere, updateWhere } from '../../../platform/storage/where.js'
import type { Counts } from '../safe.js'
import { nextHash } from './content-hash.js'
import type { ImportReport } from './types.js'

/** One import of a Safe. */
export const oneImport = (db: Kysely<Schema>, safeId: string, importId: number) =>
  db.selectFrom('imports').where('imports.safe_id', '=', safeId).where('imports.id', '=', importId)

/** The committed import with the same bytes as this one, or null. */
export async function sameImport(
  db: Kysely<Schema>,
  safeId: string,
  importId: number,
): Promise<number | null> {
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
export const safeOf = (db: Kysely<Schema>, safeId: string) =>
  selectWhere(db, 'safes', { id: safeId })
    .select(['version', 'content_hash', 'merged_through', 'merging_through'])
    .executeTakeFirst()

/** Imports up to this id can no longer be undone. */
export const mergedThrough = (safe: { merged_through: number; merging_through: number }) =>
  Math.max(safe.merged_through, safe.merging_through)

/** When the first import was made that can still be undone. */
export async function firstUnmergedAt(db: Kysely<Schema>, safeId: string, merged: number): Promise<number> {
  const first = await selectWhere(db, 'imports', { safe_id: safeId, status: 'committed' })
    .where('id', '>', merged)
    .orderBy('id')
    .select('created_at')
    .executeTakeFirst()
  return first?.created_at ?? 0
}

/** The rows of an import become visible (`by` 1) or hidden (-1). */
export const changeSafe = (
  trx: Kysely<Schema>,
  safeId: string,
  counts: Counts,
  by: 1 | -1,
  more: { content_hash: string; undone_version?: number; readable_from?: number },
) =>
  updateWhere(trx, 'safes', { id: safeId })
    .set(eb => ({
      ...more,
      version: eb('version', '+', 1),
      entities: eb('entities', '+', by * counts.entities),
      relations: eb('relations', '+', by * counts.relations),
      passages: eb('passages', '+', by * counts.passages),
      import_count: eb('import_count', '+', by),
    }))
    .execute()

/**
 * Changes the answers of a Safe without adding or removing an import. If this retires earlier indexes,
 * none of them may answer while the next one is built.
 */
export async function changeContent(
  trx: Kysely<Schema>,
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
  await updateWhere(trx, 'safes', { id: safeId })
    .set({ version, content_hash, ...readable })
    .execute()
}

/** The counts of an import, from its report. */
export const countsOf = (reportJson: string): Counts => (JSON.parse(reportJson) as ImportReport).counts
