import { setImmediate as otherRequests } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { AliasRow, EntityRow, GraphSource, PassageRow, RelationRow, RowRef } from '../../graph/model.js'
import { normalizeName } from '../../graph/text.js'
import type { Schema } from '../database/schema.js'
import type { Database } from '../database.js'
import type { ContentStore } from './store.js'

/** Rows read at once while an index is built: about a millisecond, so that other requests hardly wait. */
const PAGE = 1000

/** Reads what committed imports hold, from SQL. */
export class SqlContentStore implements ContentStore {
  readonly #db: Kysely<Schema>

  constructor(database: Database) {
    this.#db = database.read
  }

  async layers(safeId: string): Promise<{ version: number; importIds: number[] } | null> {
    const rows = await this.#db
      .selectFrom('safes as s')
      .leftJoin('imports as i', join => join.onRef('i.safe_id', '=', 's.id').on('i.status', '=', 'committed'))
      .where('s.id', '=', safeId)
      .orderBy('i.id')
      .select(['s.version', 'i.id as importId'])
      .execute()
    const [first] = rows
    if (!first) return null
    return { version: first.version, importIds: rows.flatMap(row => row.importId ?? []) }
  }

  source(safeId: string, importIds: readonly number[]): GraphSource {
    const db = this.#db
    return {
      entities: () =>
        pages<EntityRow>(importIds, (importId, last) =>
          db
            .selectFrom('entities')
            .where('safe_id', '=', safeId)
            .where('import_id', '=', importId)
            .$if(last !== null, query => query.where('key', '>', last?.key ?? ''))
            .orderBy('key')
            .limit(PAGE)
            .select(['import_id as importId', 'key', 'name', 'type'])
            .execute(),
        ),
      aliases: () =>
        pages<AliasRow>(importIds, (importId, last) =>
          db
            .selectFrom('aliases')
            .where('safe_id', '=', safeId)
            .where('import_id', '=', importId)
            .$if(last !== null, query =>
              query.where(sql<boolean>`(entity_key, alias) > (${last?.entityKey}, ${last?.alias})`),
            )
            .orderBy('entity_key')
            .orderBy('alias')
            .limit(PAGE)
            .select(['import_id as importId', 'entity_key as entityKey', 'alias'])
            .execute(),
        ),
      relations: () =>
        pages<RelationRow>(importIds, (importId, last) =>
          db
            .selectFrom('relations')
            .where('safe_id', '=', safeId)
            .where('import_id', '=', importId)
            .where('id', '>', last?.id ?? 0)
            .orderBy('id')
            .limit(PAGE)
            .select(RELATION)
            .execute(),
        ),
      passages: () =>
        pages<PassageRow>(importIds, (importId, last) =>
          db
            .selectFrom('passages')
            .where('safe_id', '=', safeId)
            .where('import_id', '=', importId)
            .where('id', '>', last?.id ?? 0)
            .orderBy('id')
            .limit(PAGE)
            .select(PASSAGE)
            .execute(),
        ),
    }
  }

  async relations(safeId: string, refs: readonly RowRef[]): Promise<RelationRow[]> {
    if (refs.length === 0) return []
    return this.#db
      .selectFrom('relations')
      .where('safe_id', '=', safeId)
      .where(isOneOf(refs))
      .select(RELATION)
      .execute()
  }

  async passages(safeId: string, refs: readonly RowRef[]) {
    if (refs.length === 0) return []
    return this.#db
      .selectFrom('passages')
      .where('safe_id', '=', safeId)
      .where(isOneOf(refs))
      .select([...PASSAGE, 'source'])
      .execute()
  }

  async names(safeId: string, importIds: readonly number[], keys: readonly string[]) {
    const names = new Map<string, string>()
    if (importIds.length === 0 || keys.length === 0) return names
    const rows = await this.#db
      .selectFrom('entities')
      .where('safe_id', '=', safeId)
      .where('import_id', 'in', importIds)
      .where('key', 'in', keys)
      .orderBy('import_id')
      .select(['key', 'name'])
      .execute()
    for (const { key, name } of rows) {
      // A name that only repeats the key gives way to one that an import stated.
      const known = names.get(key)
      if (known === undefined || normalizeName(known) === key) names.set(key, name)
    }
    return names
  }

  async sources(safeId: string, importIds: readonly number[]): Promise<Map<number, string>> {
    if (importIds.length === 0) return new Map()
    const rows = await this.#db
      .selectFrom('imports')
      .where('safe_id', '=', safeId)
      .where('id', 'in', importIds)
      .select(['id', 'source'])
      .execute()
    return new Map(rows.map(row => [row.id, row.source]))
  }
}

const RELATION = [
  'import_id as importId',
  'id',
  'subject_key as subjectKey',
  'predicate',
  'object_key as objectKey',
] as const

const PASSAGE = ['import_id as importId', 'id', 'entity_key as entityKey', 'title', 'text'] as const

/** By primary key, also when the winners come from several imports. */
const isOneOf = (refs: readonly RowRef[]) =>
  sql<boolean>`(import_id, id) in (values ${sql.join(refs.map(ref => sql`(${ref.importId}, ${ref.id})`))})`

/** Pages of rows of several imports, each page beginning after the last row of the one before. */
async function* pages<Row>(
  importIds: readonly number[],
  read: (importId: number, last: Row | null) => Promise<Row[]>,
): AsyncIterable<Row[]> {
  for (const importId of importIds) {
    let last: Row | null = null
    for (;;) {
      const page: Row[] = await read(importId, last)
      if (page.length > 0) yield page
      last = page.at(-1) ?? null
      if (page.length < PAGE) break
      await otherRequests()
    }
  }
}
