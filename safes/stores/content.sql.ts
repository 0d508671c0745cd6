import { setImmediate as otherRequests } from 'node:timers/promises'
import {
  type CompiledQuery,
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type SqlBool,
  sql,
} from 'kysely'
import type {
  AliasRow,
  EntityRow,
  GraphSource,
  IdentityRow,
  PassageRow,
  RelationRow,
  RowRef,
  Succession,
} from '../../graph/model.js'
import type { Database } from '../../storage/database.js'
import type { Schema } from '../../storage/schema.js'
import type { Counts } from '../safe.js'
import { hashWithImport } from './content-hash.js'
import { ListQuery } from './list-query.js'
import { isIn, joined, without } from './ranges.js'
import {
  type CommittedImports,
  type EntityRef,
  FIRST_VERSION,
  type ImportRange,
  type StoredPassage,
  type StoredRelation,
  type VisibleLayers,
} from './types.js'
import { visibleLayers } from './visible-layers.sql.js'

/** Rows read at once while an index is built: about a millisecond, so that other requests hardly wait. */
const PAGE = 1000

/** The contents of a Safe's committed imports. */
export class ContentStore {
  readonly #db: Kysely<Schema>

  readonly #committedImports: CompiledQuery<CommittedImportsRow>
  readonly #relations: ListQuery<StoredRelation>
  readonly #passages: ListQuery<StoredPassage>
  readonly #entities: ListQuery<EntityRow>
  readonly #sources: ListQuery<{ id: number; source: string }>
  readonly #paths: ListQuery<{ id: number; source: string }>

  constructor({ read: db }: Pick<Database, 'read'>) {
    this.#db = db
    this.#committedImports = committedImportsQuery(db)
    this.#relations = new ListQuery(db, count =>
      db
        .selectFrom('relations')
        .where('safe_id', '=', '')
        .where(isOneOf('id', count))
        .select([...RELATION, 'origin'])
        .compile(),
    )
    this.#passages = new ListQuery(db, count =>
      db
        .selectFrom('passages')
        .where('safe_id', '=', '')
        .where(isOneOf('id', count))
        .select([...PASSAGE, 'source', 'seq', 'origin'])
        .select(eb =>
          eb
            .selectFrom('documents as d')
            .whereRef('d.safe_id', '=', 'passages.safe_id')
            .whereRef('d.import_id', '=', 'passages.import_id')
            .whereRef('d.id', '=', 'passages.document_id')
            .select('d.path')
            .as('document'),
        )
        .compile(),
    )
    this.#entities = new ListQuery(db, count =>
      db
        .selectFrom('entities')
        .where('safe_id', '=', '')
        .where(isOneOf('key', count))
        .select(ENTITY)
        .compile(),
    )
    this.#sources = new ListQuery(db, (count = 0) =>
      db
        .selectFrom('imports')
        .where('safe_id', '=', '')
        .where('id', 'in', Array(count).fill(0))
        .where('status', '=', sql.lit('committed'))
        .select(['id', 'source'])
        .compile(),
    )
    this.#paths = new ListQuery(db, (count = 0) =>
      db
        .selectFrom('synced_files')
        .where('safe_id', '=', '')
        .where('id', 'in', Array(count).fill(0))
        .select(['id', 'path as source'])
        .compile(),
    )
  }

  /**
   * Read atomically. Null when the Safe does not exist. `pendingImport` is a staged import to treat as
   * committed.
   */
  async committedImports(safeId: string, pendingImport = 0): Promise<CommittedImports | null> {
    const ofFolders = [safeId, pendingImport]
    const ofImports = [safeId, safeId, pendingImport, safeId, safeId]
    const parameters = [...ofImports, ...ofFolders, ...ofFolders]
    const query = { ...this.#committedImports, parameters }
    const { rows } = await this.#db.executeQuery<CommittedImportsRow>(query)
    const [first] = rows
    return first ? committedImportsOf(first, rows, pendingImport) : null
  }

  /**
   * The imports and versions of files that are visible, as in `committedImports`, but without ids that have no rows
   * (yet, or any more). Null when the Safe does not exist.
   */
  visibleLayers(safeId: string, pendingImport = 0): Promise<VisibleLayers | null> {
    return visibleLayers(this.#db, safeId, pendingImport)
  }

  /** All rows of these imports, in pages. */
  source(safeId: string, ranges: readonly ImportRange[]): GraphSource {
    const db = this.#db
    return {
      identities: () =>
        pages<IdentityRow>(ranges, (range, last) =>
          db
            .selectFrom('identities')
            .where('safe_id', '=', safeId)
            .where(after(range, ['key'], last && [last.importId, last.key]))
            .orderBy('import_id')
            .orderBy('key')
            .limit(PAGE)
            .select(['import_id as importId', 'key', 'same_as as sameAs'])
            .execute(),
        ),
      entities: () =>
        pages<EntityRow>(ranges, (range, last) =>
          db
            .selectFrom('entities')
            .where('safe_id', '=', safeId)
            .where(after(range, ['key'], last && [last.importId, last.key]))
            .orderBy('import_id')
            .orderBy('key')
            .limit(PAGE)
            .select(ENTITY)
            .execute(),
        ),
      aliases: () =>
        pages<AliasRow>(ranges, (range, last) =>
          db
            .selectFrom('aliases')
            .where('safe_id', '=', safeId)
            .where(after(range, ['entity_key', 'alias'], last && [last.importId, last.entityKey, last.alias]))
            .orderBy('import_id')
            .orderBy('entity_key')
            .orderBy('alias')
            .limit(PAGE)
            .select(['import_id as importId', 'entity_key as entityKey', 'alias'])
            .execute(),
        ),
      relations: () =>
        pages<RelationRow>(ranges, (range, last) =>
          db
            .selectFrom('relations')
            .where('safe_id', '=', safeId)
            .where(after(range, ['id'], last && [last.importId, last.id]))
            .orderBy('import_id')
            .orderBy('id')
            .limit(PAGE)
            .select(RELATION)
            .execute(),
        ),
      passages: () =>
        pages<PassageRow>(ranges, (range, last) =>
          db
            .selectFrom('passages')
            .where('safe_id', '=', safeId)
            .where(after(range, ['id'], last && [last.importId, last.id]))
            .orderBy('import_id')
            .orderBy('id')
            .limit(PAGE)
            .select(PASSAGE)
            .execute(),
        ),
      succession: () => this.succession(safeId, ranges),
    }
  }

  /** An import's facts were learned when it began; those of a file's version when its run began. */
  async succession(safeId: string, ranges: readonly ImportRange[]): Promise<Succession | null> {
    const db = this.#db
    const rows = await db
      .selectFrom('single_valued')
      .where('safe_id', '=', safeId)
      .select('predicate')
      .execute()
    if (rows.length === 0) return null
    const timeOf = new Map<number, number>()
    const times = pages<{ importId: number; time: number }>(ranges, ([from, to], last) => {
      const layers = from < FIRST_VERSION ? 'imports as l' : 'synced_files as l'
      return db
        .selectFrom(layers as 'imports as l')
        .innerJoin('imports as i', join =>
          join
            .onRef('i.safe_id', '=', 'l.safe_id')
            .onRef('i.id', '=', from < FIRST_VERSION ? 'l.id' : sql.ref('l.from_run')),
        )
        .where('l.safe_id', '=', safeId)
        .where('l.id', last ? '>' : '>=', last?.importId ?? from)
        .where('l.id', '<=', to)
        .orderBy('l.id')
        .limit(PAGE)
        .select(['l.id as importId', 'i.created_at as time'])
        .execute()
    })
    for await (const page of times) for (const { importId, time } of page) timeOf.set(importId, time)
    return {
      predicates: new Set(rows.map(({ predicate }) => predicate)),
      learnedOn: importId => timeOf.get(importId) ?? 0,
    }
  }

  /** Rows by their keys, in any order, without missing ones. At most 600. */
  relations(safeId: string, refs: readonly RowRef[]) {
    return this.#relations.rows(safeId, refs.map(keyOf))
  }

  passages(safeId: string, refs: readonly RowRef[]) {
    return this.#passages.rows(safeId, refs.map(keyOf))
  }

  /** Entities by their rows, in any order, without missing ones. */
  entities(safeId: string, refs: readonly EntityRef[]) {
    return this.#entities.rows(
      safeId,
      refs.map(({ importId, key }) => [importId, key]),
    )
  }

  /** Other names of an entity, without repetitions. One look-up by primary key in each import. */
  async aliases(safeId: string, ranges: readonly ImportRange[], key: string): Promise<string[]> {
    const found = new Set<string>()
    for (const [from, to] of joined(ranges)) {
      const layers = from < FIRST_VERSION ? 'imports as i' : 'synced_files as i'
      const rows = await this.#db
        .selectFrom(layers as 'imports as i')
        .innerJoin('aliases as a', join =>
          join
            .onRef('a.safe_id', '=', 'i.safe_id')
            .onRef('a.import_id', '=', 'i.id')
            .on('a.entity_key', '=', key),
        )
        .where('i.safe_id', '=', safeId)
        .where('i.id', '>=', from)
        .where('i.id', '<=', to)
        // The newest first: older versions of a file may be hidden.
        .orderBy('i.id', 'desc')
        .limit(MOST_ALIASES)
        .select(['a.import_id as importId', 'a.alias'])
        .execute()
      const isVisible = isIn(ranges)
      for (const { importId, alias } of rows.reverse()) if (isVisible(importId)) found.add(alias)
    }
    return [...found].slice(0, MOST_ALIASES)
  }

  /**
   * The newest imports with this source that have not been merged with others (ADR 31), and visible files of synced
   * folders with this path.
   */
  async importsFrom(safeId: string, source: string): Promise<number[]> {
    const files = await this.#db
      .selectFrom('synced_files as f')
      .innerJoin('synced_folders as d', join =>
        join.onRef('d.safe_id', '=', 'f.safe_id').onRef('d.id', '=', 'f.folder_id'),
      )
      .where('f.safe_id', '=', safeId)
      .where('f.path', '=', source)
      .whereRef('f.from_run', '<=', 'd.visible_run')
      .whereRef('f.until_run', '>', 'd.visible_run')
      .limit(MOST_OF_SOURCE)
      .select('f.id')
      .execute()
    const rows = await this.#db
      .selectFrom('imports as i')
      .innerJoin('safes as s', 's.id', 'i.safe_id')
      .where('i.safe_id', '=', safeId)
      .where('i.source', '=', source)
      .where('i.status', '=', 'committed')
      .whereRef('i.id', '>', 's.merged_through')
      .orderBy('i.id', 'desc')
      .limit(MOST_OF_SOURCE)
      .select('i.id')
      .execute()
    return [...files, ...rows].map(({ id }) => id)
  }

  /** Entities that an import names, after a key, in the order of their keys. */
  entitiesIn(safeId: string, importId: number, after: string, limit: number): Promise<EntityRow[]> {
    return this.#db
      .selectFrom('entities')
      .where('safe_id', '=', safeId)
      .where('import_id', '=', importId)
      .where('key', '>', after)
      .orderBy('key')
      .limit(limit)
      .select(ENTITY)
      .execute()
  }

  /**
   * The sources of these imports, without those that are no longer committed. For a version of a file, its path, also
   * when a later version has replaced it: while an older index answers, it must answer completely.
   */
  async sources(safeId: string, importIds: readonly number[]) {
    const [imports, versions] = [[] as number[], [] as number[]]
    for (const id of importIds) (id < FIRST_VERSION ? imports : versions).push(id)
    const rows = await Promise.all([this.#sources.rows(safeId, imports), this.#paths.rows(safeId, versions)])
    return new Map(rows.flat().map(({ id, source }) => [id, source]))
  }
}

/** Aliases of an entity, and imports with one source, that are read. */
const MOST_ALIASES = 50
const MOST_OF_SOURCE = 20

/** One row for each import or version of a file whose rows are hidden; those of imports have the Safe's columns. */
interface CommittedImportsRow extends Counts {
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
function committedImportsQuery(db: Kysely<Schema>): CompiledQuery<CommittedImportsRow> {
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

/** The run of a folder whose state is visible, or will be once the pending import is committed. */
const visibleRun = sql<number>`case when d.pending_run > 0 and d.pending_run = cast(${0} as bigint)
  then d.pending_run else d.visible_run end`

const hiddenVersions = (
  db: Kysely<Schema>,
  isHidden: (
    eb: ExpressionBuilder<Schema & { d: Schema['synced_folders']; f: Schema['synced_files'] }, 'd' | 'f'>,
  ) => Expression<SqlBool>,
) =>
  db
    .selectFrom('synced_folders as d')
    .innerJoin('synced_files as f', join =>
      join.onRef('f.safe_id', '=', 'd.safe_id').onRef('f.folder_id', '=', 'd.id'),
    )
    .where('d.safe_id', '=', '')
    .where(isHidden)
    .select([
      ...NO_COLUMNS.map(column => sql<null>`null`.as(column)),
      'f.id as hidden',
      ...['status', 'hash', 'report'].map(column => sql<null>`null`.as(column)),
    ])

/** The columns of the Safe that a hidden version has none of. */
const NO_COLUMNS = [
  ...['version', 'entities', 'relations', 'passages', 'content_hash', 'undone_version', 'readable_from'],
  ...['merged_layer', 'merged_through', 'last', 'last_version'],
]

function committedImportsOf(
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

const ENTITY = ['import_id as importId', 'key', 'name', 'type'] as const

const RELATION = [
  'import_id as importId',
  'id',
  'subject_key as subjectKey',
  'predicate',
  'object_key as objectKey',
  'valid_from as validFrom',
  'valid_to as validTo',
  'learned_on as learnedOn',
] as const

const PASSAGE = ['import_id as importId', 'id', 'entity_key as entityKey', 'title', 'text', 'time'] as const

const keyOf = ({ importId, id }: RowRef) => [importId, id]

/** By primary key, even when the rows come from several imports. Postgres infers all types from the first. */
const isOneOf = (column: 'id' | 'key', count: number) => {
  const type = sql.raw(column === 'id' ? 'integer' : 'text')
  const typed = sql`(cast(${0} as integer), cast(${0} as ${type}))`
  const others = Array(count - 1).fill(sql`(${0}, ${0})`)
  return sql<boolean>`(import_id, ${sql.ref(column)}) in (values ${sql.join([typed, ...others])})`
}

/**
 * The rows of a range of imports, or those after the last row read: both are one range of the primary key.
 */
function after([from, to]: ImportRange, key: readonly string[], last: readonly unknown[] | null) {
  if (!last) return sql<SqlBool>`import_id >= ${from} and import_id <= ${to}`
  const columns = sql.join(key.map(column => sql.ref(column)))
  return sql<SqlBool>`(import_id, ${columns}) > (${sql.join([...last])}) and import_id <= ${to}`
}

/** Rows of ranges of imports in pages, each page beginning after the last row of the previous one. */
async function* pages<Row extends { importId: number }>(
  ranges: readonly ImportRange[],
  read: (range: ImportRange, last: Row | null) => Promise<Row[]>,
): AsyncIterable<Row[]> {
  const isVisible = isIn(ranges)
  for (const range of joined(ranges)) {
    let last: Row | null = null
    for (;;) {
      const page: Row[] = await read(range, last)
      const visible = page.filter(({ importId }) => isVisible(importId))
      if (visible.length > 0) yield visible
      last = page.at(-1) ?? null
      if (page.length < PAGE) break
      await otherRequests()
    }
  }
}
