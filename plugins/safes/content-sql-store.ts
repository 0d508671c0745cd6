import { createHash } from 'node:crypto'
import { setImmediate as otherRequests } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { AliasRow, EntityRow, GraphSource, PassageRow, RelationRow, RowRef } from '../../graph/model.js'
import { normalizeName } from '../../graph/text.js'
import type { Schema } from '../database/schema.js'
import type { Database } from '../database.js'
import { ListQuery } from './list-query.js'
import type { Counts } from './safe.js'
import type { ContentStore, Layers, ToldPassage } from './store.js'

/** Rows read at once while an index is built: about a millisecond, so that other requests hardly wait. */
const PAGE = 1000

/** Reads what committed imports hold, from SQL. */
export class SqlContentStore implements ContentStore {
  readonly #db: Kysely<Schema>

  readonly #relations: ListQuery<RelationRow>
  readonly #passages: ListQuery<ToldPassage>
  readonly #names: ListQuery<{ key: string; name: string }>

  constructor({ read: db }: Pick<Database, 'read'>) {
    this.#db = db
    this.#relations = new ListQuery(db, count =>
      db.selectFrom('relations').where('safe_id', '=', '').where(isOneOf(count)).select(RELATION).compile(),
    )
    this.#passages = new ListQuery(db, count =>
      db
        .selectFrom('passages')
        .where('safe_id', '=', '')
        .where(isOneOf(count))
        .select([...PASSAGE, 'source', 'seq'])
        .compile(),
    )
    this.#names = new ListQuery(db, (imports = 0, keys = 0) =>
      db
        .selectFrom('entities')
        .where('safe_id', '=', '')
        .where('import_id', 'in', Array(imports).fill(0))
        .where('key', 'in', Array(keys).fill(''))
        .orderBy('import_id')
        .select(['key', 'name'])
        .compile(),
    )
  }

  async layers(safeId: string, aboutToBe = 0): Promise<Layers | null> {
    const rows = await this.#db
      .selectFrom('safes as s')
      .leftJoin('imports as i', join =>
        join
          .on('i.safe_id', '=', safeId)
          .on(on =>
            on.or([
              on('i.status', '=', 'committed'),
              on.and([on('i.status', '=', 'staged'), on('i.id', '=', aboutToBe)]),
            ]),
          ),
      )
      .where('s.id', '=', safeId)
      .orderBy('i.id')
      .select(['s.version', 'i.id', 'i.source', 'i.content_hash as hash', 'i.report_json as report'])
      .execute()
    const [first] = rows
    return first ? layersOf(first.version, rows) : null
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

  relations(safeId: string, refs: readonly RowRef[]): Promise<RelationRow[]> {
    return this.#relations.rows(safeId, refs.map(keyOf))
  }

  passages(safeId: string, refs: readonly RowRef[]) {
    return this.#passages.rows(safeId, refs.map(keyOf))
  }

  async names(safeId: string, importIds: readonly number[], keys: readonly string[]) {
    const names = new Map<string, string>()
    for (const { key, name } of await this.#names.rows(safeId, importIds, keys)) {
      // A name that only repeats the key gives way to one that an import stated.
      const known = names.get(key)
      if (known === undefined || normalizeName(known) === key) names.set(key, name)
    }
    return names
  }
}

interface LayerRow {
  id: number | null
  source: string | null
  hash: string | null
  report: string | null
}

function layersOf(version: number, rows: readonly LayerRow[]): Layers {
  const sources = new Map<number, string>()
  const counts = { entities: 0, relations: 0, passages: 0 }
  const hash = createHash('sha256')
  for (const { id, source, hash: content, report } of rows) {
    if (id === null) continue
    sources.set(id, source ?? '')
    const brought: Counts = JSON.parse(report ?? '{}').counts ?? {}
    counts.entities += brought.entities
    counts.relations += brought.relations
    counts.passages += brought.passages
    hash.update(`${id} ${content}\n`)
  }
  return {
    version,
    importIds: [...sources.keys()],
    sources,
    counts,
    contentHash: hash.digest('base64url'),
  }
}

const RELATION = [
  'import_id as importId',
  'id',
  'subject_key as subjectKey',
  'predicate',
  'object_key as objectKey',
] as const

const PASSAGE = ['import_id as importId', 'id', 'entity_key as entityKey', 'title', 'text', 'time'] as const

const keyOf = ({ importId, id }: RowRef) => [importId, id]

/** By primary key, also when the winners come from several imports. Postgres takes the types of all from the first. */
const isOneOf = (count: number) => {
  const typed = sql`(cast(${0} as integer), cast(${0} as integer))`
  const others = Array(count - 1).fill(sql`(${0}, ${0})`)
  return sql<boolean>`(import_id, id) in (values ${sql.join([typed, ...others])})`
}

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
