import { type CompiledQuery, type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Schema } from '../../../platform/storage/schema.js'
import { on, selectWhere } from '../../../platform/storage/where.js'
import type { Counts } from '../safe.js'
import { hashWithImport } from './import-effects.js'
import { without } from './ranges.js'
import { visibleRunOf } from './synced-rows.js'
import { type CommittedImports, FIRST_VERSION, type ImportRange, type VisibleLayers } from './types.js'

/** One row for each import or version of a file whose rows are hidden; those of imports have the Safe's columns. */
export interface CommittedImportsRow extends Counts {
  version: number
  content_hash: string
  undone_version: number
  readable_from: number
  merged_layer: number
  merged_through: number
  last: number | null
  last_version: number | null
  hidden: number | null
  status: string | null
  hash: string | null
  report: string | null
}

/**
 * Parameters: the Safe's id twice, an import that is about to be committed, the Safe's id twice more; then twice the
 * Safe's id and the import. Every uncommitted import that has rows has a lease; these are few, and an index finds
 * them. Versions of files of synced folders are hidden until their run becomes visible, and again when a later run
 * has replaced them (ADR 52). One statement, so that all of it is from the same moment.
 */
export function committedImportsQuery(db: Db): CompiledQuery<CommittedImportsRow> {
  return db
    .selectFrom('safes as s')
    .leftJoin('imports as hidden', join =>
      join
        .on('hidden.safe_id', '=', '')
        .on('hidden.lease_expires_at', '>', sql.lit(0))
        .on('hidden.status', '<>', sql.lit('committed'))
        .onRef('hidden.id', '>', 's.merged_through'),
    )
    .select(eb => [
      's.version',
      's.entities',
      's.relations',
      's.passages',
      's.content_hash',
      's.undone_version',
      's.readable_from',
      's.merged_layer',
      's.merged_through',
      eb
        .selectFrom('imports as i')
        .where('i.safe_id', '=', '')
        .select(i => i.fn.max('i.id').as('last'))
        .as('last'),
      eb
        .selectFrom('synced_folders as d')
        .where('d.safe_id', '=', '')
        .select(d => d.fn.max('d.last_version').as('last_version'))
        .as('last_version'),
      'hidden.id as hidden',
      'hidden.status',
      'hidden.content_hash as hash',
      sql<string | null>`case when hidden.id = cast(${0} as bigint) then hidden.report_json end`.as('report'),
    ])
    .where('s.id', '=', '')
    .unionAll(hiddenVersions(db, eb => eb('f.until_run', '<=', visibleRun)) as never)
    .unionAll(hiddenVersions(db, eb => eb('f.from_run', '>', visibleRun)) as never)
    .compile() as unknown as CompiledQuery<CommittedImportsRow>
}

const visibleRun = visibleRunOf(0)

const hiddenVersions = (
  db: Db,
  isHidden: (
    eb: ExpressionBuilder<Schema & { d: Schema['synced_folders']; f: Schema['synced_files'] }, 'd' | 'f'>,
  ) => Expression<SqlBool>,
) =>
  db
    .selectFrom('synced_folders as d')
    // SQLite keeps this order: it finds the few hidden versions of a folder by an index.
    .crossJoin('synced_files as f')
    .whereRef('f.safe_id', '=', 'd.safe_id')
    .whereRef('f.folder_id', '=', 'd.id')
    .where('d.safe_id', '=', '')
    .where(isHidden)
    .select([
      ...NO_COLUMNS.map(column => sql<null>`null`.as(column)),
      'f.id as hidden',
      ...['status', 'hash', 'report'].map(column => sql<null>`null`.as(column)),
    ])

/** The columns of the Safe that hidden versions lack. */
const NO_COLUMNS = [
  ...['version', 'entities', 'relations', 'passages', 'content_hash', 'undone_version', 'readable_from'],
  ...['merged_layer', 'merged_through', 'last', 'last_version'],
]

/** The result of the query. */
export function committedImportsOf(
  safe: CommittedImportsRow,
  rows: readonly CommittedImportsRow[],
  pendingImport: number,
): CommittedImports {
  const { version, entities, relations, passages } = safe
  const counts = { entities, relations, passages }
  const ranges: ImportRange[] = safe.merged_layer > 0 ? [[safe.merged_layer, safe.merged_layer]] : []
  let contentHash = safe.content_hash
  const hiddenIds: number[] = []
  for (const { hidden, status, hash, report } of rows) {
    if (hidden === null) continue
    if (hidden === pendingImport && status === 'staged') {
      const brought: Counts = JSON.parse(report ?? '{}').counts ?? {}
      counts.entities += brought.entities
      counts.relations += brought.relations
      counts.passages += brought.passages
      contentHash = hashWithImport(contentHash, hidden, hash)
    } else hiddenIds.push(hidden)
  }
  hiddenIds.sort((a, b) => a - b)
  const firstVersion = hiddenIds.findIndex(id => id >= FIRST_VERSION)
  const imports = firstVersion < 0 ? hiddenIds : hiddenIds.slice(0, firstVersion)
  const versions = firstVersion < 0 ? [] : hiddenIds.slice(firstVersion)
  ranges.push(...without([safe.merged_through + 1, safe.last ?? 0], imports))
  ranges.push(...without([FIRST_VERSION, safe.last_version ?? 0], versions))
  const { undone_version: undoneVersion, readable_from: readableFrom } = safe
  return { version, counts, contentHash, ranges, undoneVersion, readableFrom }
}

/**
 * `pendingImport` is a staged import to treat as committed, 0 for none. One statement, so that all of it is from the
 * same moment.
 */
export async function visibleLayers(
  db: Db,
  safeId: string,
  pendingImport = 0,
): Promise<VisibleLayers | null> {
  const row = await selectWhere(db, 'safes', { id: safeId })
    .select(['merged_layer', 'merged_through'])
    .select([
      importsOf(db, safeId, pendingImport).as('imports'),
      versionsOf(db, safeId, pendingImport).as('versions'),
    ])
    .executeTakeFirst()
  if (!row) return null
  const ids = [row.imports, row.versions].flatMap(list => list?.split(',').map(Number) ?? [])
  if (row.merged_layer > 0) ids.push(row.merged_layer)
  return { mergedThrough: row.merged_through, ids: ids.sort((a, b) => a - b) }
}

/** As one text: there may be tens of thousands. */
const idsOf = (column: 'i.id' | 'f.id') =>
  sql<string | null>`string_agg(cast(${sql.ref(column)} as text), ',')`.as('ids')

/** Runs of synced folders have no rows of their own. */
const importsOf = (db: Db, safeId: string, pendingImport: number) =>
  db
    .selectFrom('imports as i')
    .innerJoin('safes as s', 's.id', 'i.safe_id')
    .where('i.safe_id', '=', safeId)
    .whereRef('i.id', '>', 's.merged_through')
    .where('i.format', '<>', 'sync')
    .where(
      sql<SqlBool>`(i.status = 'committed' or (i.status = 'staged' and i.id = cast(${pendingImport} as bigint)))`,
    )
    .select(idsOf('i.id'))

/** As in `committedImports`: the versions that belong to the visible or pending run of their folder. */
function versionsOf(db: Db, safeId: string, pendingImport: number) {
  const run = visibleRunOf(pendingImport)
  return db
    .selectFrom('synced_folders as d')
    .innerJoin('synced_files as f', on({ 'f.safe_id': 'd.safe_id', 'f.folder_id': 'd.id' }))
    .where('d.safe_id', '=', safeId)
    .where('f.until_run', '>', run)
    .where('f.from_run', '<=', run)
    .select(idsOf('f.id'))
}
