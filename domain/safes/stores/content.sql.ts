import { sql } from 'kysely'
import type { EntityRow, GraphSource, RowRef } from '../../../engine/graph/index.js'
import { on, selectWhere } from '../../../platform/storage/where.js'
import { ListQuery } from '../../compiled-statements.js'
import { of, ReadingStore } from '../../store.js'
import { NOTES_FOLDER } from '../folder-location.js'
import { withoutRemoved } from '../removed/removed.js'
import {
  type CommittedImportsRow,
  committedImportsOf,
  committedImportsQuery,
  visibleLayers,
} from './committed-imports.sql.js'
import { removedOf } from './decisions.sql.js'
import { ENTITY, graphSource, inOrder, PASSAGE, RELATION, succession } from './graph-source.sql.js'
import { isIn, joined } from './ranges.js'
import {
  type CommittedImports,
  type EntityRef,
  FIRST_VERSION,
  type FullPassage,
  type ImportRange,
  type StoredPassage,
  type StoredRelation,
} from './types.js'

/** The contents of a Safe's committed imports. */
export class ContentStore extends ReadingStore {
  readonly #committedImports = committedImportsQuery(this.db)
  readonly #relations = new ListQuery<StoredRelation>(this.db, count =>
    selectWhere(this.db, 'relations', { safe_id: '' })
      .where(isOneOf('id', count))
      .select([...RELATION, 'origin']),
  )
  readonly #passages = new ListQuery<StoredPassage>(this.db, count =>
    selectWhere(this.db, 'passages', { safe_id: '' })
      .where(isOneOf('id', count))
      .where(isCurrent)
      .select([...PASSAGE, 'source', 'seq', 'origin'])
      .select(eb =>
        eb
          .selectFrom('documents as d')
          .whereRef('d.safe_id', '=', 'passages.safe_id')
          .whereRef('d.import_id', '=', 'passages.import_id')
          .whereRef('d.id', '=', 'passages.document_id')
          .select('d.path')
          .as('document'),
      ),
  )
  readonly #entities = new ListQuery<EntityRow>(this.db, count =>
    selectWhere(this.db, 'entities', { safe_id: '' }).where(isOneOf('key', count)).select(ENTITY),
  )
  readonly #sources = new ListQuery<{ id: number; source: string }>(this.db, count =>
    selectWhere(this.db, 'imports', { safe_id: '', status: sql.lit('committed') })
      .where('id', 'in', Array(count).fill(0))
      .select(['id', 'source']),
  )
  readonly #paths = new ListQuery<{ id: number; source: string }>(this.db, count =>
    selectWhere(this.db, 'synced_files', { safe_id: '' })
      .where('id', 'in', Array(count).fill(0))
      .select(['id', 'path as source']),
  )

  /** Read atomically. Null when the Safe does not exist. `pendingImport` is a staged import to treat as committed. */
  async committedImports(safeId: string, pendingImport = 0): Promise<CommittedImports | null> {
    const ofFolders = [safeId, pendingImport]
    const ofImports = [safeId, safeId, pendingImport, safeId, safeId]
    const parameters = [...ofImports, ...ofFolders, ...ofFolders]
    const query = { ...this.#committedImports, parameters }
    const { rows } = await this.db.executeQuery<CommittedImportsRow>(query)
    const [first] = rows
    return first ? committedImportsOf(first, rows, pendingImport) : null
  }

  /**
   * The imports and versions of files that are visible, as in `committedImports`, but without ids that have no rows
   * (yet, or any more). Null when the Safe does not exist.
   */
  visibleLayers = of(this.db, visibleLayers)

  /** All rows of these imports, in pages that fit in memory, without those that owners have removed. */
  source(safeId: string, ranges: readonly ImportRange[]): GraphSource {
    return withoutRemoved(this.allRows(safeId, ranges), () => this.removed(safeId))
  }

  /** The same, including rows that owners have removed. */
  allRows = of(this.db, graphSource)

  /** All passages of these imports with all columns, including those that owners have removed. */
  fullPassages(safeId: string, range: ImportRange): AsyncIterable<FullPassage[]> {
    const passages = selectWhere(this.db, 'passages', { safe_id: safeId })
      .select([...PASSAGE, 'source', 'seq', 'origin'])
      .select(['document_id as documentId', 'line'])
    return inOrder(passages, [range], { id: 'id' }, FULL_PASSAGES)
  }

  /** Statements that owners have removed. */
  removed = of(this.db, removedOf)

  /** When the facts of these imports were learned, if the Safe has predicates with one value at a time. */
  succession = of(this.db, succession)

  /** Rows by their keys, in any order, without missing ones. At most 600. */
  relations(safeId: string, refs: readonly RowRef[]) {
    return this.#relations.rows([safeId], refs.map(keyOf))
  }

  passages(safeId: string, refs: readonly RowRef[]) {
    return this.#passages.rows([safeId], refs.map(keyOf))
  }

  /** Entities by their rows, in any order, without missing ones. */
  entities(safeId: string, refs: readonly EntityRef[]) {
    return this.#entities.rows(
      [safeId],
      refs.map(({ importId, key }) => [importId, key]),
    )
  }

  /** Other names of an entity, without repetitions. One look-up by primary key in each import. */
  async aliases(safeId: string, ranges: readonly ImportRange[], key: string): Promise<string[]> {
    const found = new Set<string>()
    for (const [from, to] of joined(ranges)) {
      const layers = from < FIRST_VERSION ? 'imports as i' : 'synced_files as i'
      const rows = await this.db
        .selectFrom(layers as 'imports as i')
        .innerJoin('aliases as a', on({ 'a.safe_id': 'i.safe_id', 'a.import_id': 'i.id' }))
        .where(eb => eb.and({ 'i.safe_id': safeId, 'a.entity_key': key }))
        .where('i.id', '>=', from)
        .where('i.id', '<=', to)
        // The newest first: older versions of a file may be hidden.
        .orderBy('i.id', 'desc')
        .limit(MAX_ALIASES)
        .select(['a.import_id as importId', 'a.alias'])
        .execute()
      const isVisible = isIn(ranges)
      for (const { importId, alias } of rows.reverse()) if (isVisible(importId)) found.add(alias)
    }
    return [...found].slice(0, MAX_ALIASES)
  }

  /**
   * The newest imports with this source that have not been merged with others (ADR 31), and visible files of synced
   * folders with this path.
   */
  async importsFrom(safeId: string, source: string): Promise<number[]> {
    const files = await this.db
      .selectFrom('synced_files as f')
      .innerJoin('synced_folders as d', on({ 'd.safe_id': 'f.safe_id', 'd.id': 'f.folder_id' }))
      .where(eb => eb.and({ 'f.safe_id': safeId, 'f.path': source }))
      .whereRef('f.from_run', '<=', 'd.visible_run')
      .whereRef('f.until_run', '>', 'd.visible_run')
      .limit(MAX_OF_SOURCE)
      .select('f.id')
      .execute()
    const rows = await this.db
      .selectFrom('imports as i')
      .innerJoin('safes as s', 's.id', 'i.safe_id')
      .where(eb => eb.and({ 'i.safe_id': safeId, 'i.source': source, 'i.status': 'committed' }))
      .whereRef('i.id', '>', 's.merged_through')
      .orderBy('i.id', 'desc')
      .limit(MAX_OF_SOURCE)
      .select('i.id')
      .execute()
    return [...files, ...rows].map(({ id }) => id)
  }

  /** Entities that an import names, after a key, in the order of their keys. */
  entitiesIn(safeId: string, importId: number, after: string, limit: number): Promise<EntityRow[]> {
    return selectWhere(this.db, 'entities', { safe_id: safeId, import_id: importId })
      .where('key', '>', after)
      .orderBy('key')
      .limit(limit)
      .select(ENTITY)
      .execute()
  }

  /**
   * The sources of these imports, without those that are no longer committed. For a version of a file, its path, also
   * if a later version has replaced it: while an older index answers, it must answer completely.
   */
  async sources(safeId: string, importIds: readonly number[]) {
    const [imports, versions] = [[] as number[], [] as number[]]
    for (const id of importIds) (id < FIRST_VERSION ? imports : versions).push(id)
    const rows = await Promise.all([
      this.#sources.rows([safeId], imports),
      this.#paths.rows([safeId], versions),
    ])
    return new Map(rows.flat().map(({ id, source }) => [id, source]))
  }
}

/** Passages read at once; one text may have 100,000 characters. */
const FULL_PASSAGES = 100
/** Maximum aliases of an entity, and maximum imports with one source, that are read. */
const MAX_ALIASES = 50
const MAX_OF_SOURCE = 20

/** Whether the document of a passage has no newer version written here (ADR 53). */
const isCurrent = sql<boolean>`not exists (select 1 from documents d
  join synced_files f on f.safe_id = d.safe_id and f.path = d.path and f.id > d.import_id
  join synced_folders o on o.safe_id = f.safe_id and o.id = f.folder_id
  where d.safe_id = passages.safe_id and d.import_id = passages.import_id and d.id = passages.document_id
    and o.name = ${sql.lit(NOTES_FOLDER)} and f.from_run <= o.visible_run and f.until_run > o.visible_run
    and not exists (select 1 from synced_files own where own.safe_id = f.safe_id and own.id = d.import_id
      and own.folder_id = o.id))`

const keyOf = ({ importId, id }: RowRef) => [importId, id]

/** By primary key, even when the rows come from several imports. Postgres infers all types from the first. */
const isOneOf = (column: 'id' | 'key', count: number) => {
  const type = sql.raw(column === 'id' ? 'integer' : 'text')
  const typed = sql`(cast(${0} as integer), cast(${0} as ${type}))`
  const others = Array(count - 1).fill(sql`(${0}, ${0})`)
  return sql<boolean>`(import_id, ${sql.ref(column)}) in (values ${sql.join([typed, ...others])})`
}
