import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Schema } from '../../../platform/storage/schema.js'
import { on, selectWhere } from '../../../platform/storage/where.js'
import { visibleRunOf } from './synced-rows.js'
import type { VisibleLayers } from './types.js'

/**
 * `pendingImport` is a staged import to treat as committed, 0 for none. One statement, so that all of it is from the
 * same moment.
 */
export async function visibleLayers(
  db: Kysely<Schema>,
  safeId: string,
  pendingImport: number,
): Promise<VisibleLayers | null> {
  const rows = await selectWhere(db, 'safes', { id: safeId })
    .select(['merged_layer as id', 'merged_through'])
    .unionAll(importsOf(db, safeId, pendingImport) as never)
    .unionAll(versionsOf(db, safeId, pendingImport) as never)
    .execute()
  const safe = rows.find(({ merged_through }) => merged_through !== null)
  if (!safe) return null
  const ids = rows.filter(row => row !== safe || row.id > 0).map(({ id }) => id)
  return { mergedThrough: safe.merged_through, ids: ids.sort((a, b) => a - b) }
}

/** Runs of synced folders have no rows of their own. */
const importsOf = (db: Kysely<Schema>, safeId: string, pendingImport: number) =>
  db
    .selectFrom('imports as i')
    .innerJoin('safes as s', 's.id', 'i.safe_id')
    .where('i.safe_id', '=', safeId)
    .whereRef('i.id', '>', 's.merged_through')
    .where('i.format', '<>', 'sync')
    .where(
      sql<SqlBool>`(i.status = 'committed' or (i.status = 'staged' and i.id = cast(${pendingImport} as bigint)))`,
    )
    .select(['i.id', NOT_A_SAFE])

/** As in `committedImports`: the versions that belong to the visible or pending run of their folder. */
function versionsOf(db: Kysely<Schema>, safeId: string, pendingImport: number) {
  const run = visibleRunOf(pendingImport)
  return db
    .selectFrom('synced_folders as d')
    .innerJoin('synced_files as f', on({ 'f.safe_id': 'd.safe_id', 'f.folder_id': 'd.id' }))
    .where('d.safe_id', '=', safeId)
    .where('f.until_run', '>', run)
    .where('f.from_run', '<=', run)
    .select(['f.id', NOT_A_SAFE])
}

const NOT_A_SAFE = sql<null>`null`.as('merged_through')
