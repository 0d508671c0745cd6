import { setImmediate as otherRequests } from 'node:timers/promises'
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { GraphSource, RowRef, Succession } from '../../../engine/graph/index.js'
import type { Db, Schema } from '../../../platform/storage/schema.js'
import { rowsAfter, selectWhere } from '../../../platform/storage/where.js'
import { isIn, joined } from './ranges.js'
import { FIRST_VERSION, type ImportRange, LAST_VERSION } from './types.js'

/** The columns of rows of the graph, as the domain names them. */
export const ENTITY = ['import_id as importId', 'key', 'name', 'type'] as const

const ALIAS = ['import_id as importId', 'entity_key as entityKey', 'alias'] as const

const IDENTITY = ['import_id as importId', 'key', 'same_as as sameAs'] as const

export const RELATION = [
  'import_id as importId',
  'id',
  'subject_key as subjectKey',
  'predicate',
  'object_key as objectKey',
  'valid_from as validFrom',
  'valid_to as validTo',
  'learned_on as learnedOn',
] as const

export const PASSAGE = [
  'import_id as importId',
  'id',
  'entity_key as entityKey',
  'title',
  'text',
  'time',
] as const

/** Rows read at once while an index is built: about a millisecond, so that other requests hardly wait. */
const PAGE = 1000

/** All rows of these imports, in pages. */
export function graphSource(db: Db, safeId: string, ranges: readonly ImportRange[]): GraphSource {
  const identities = selectWhere(db, 'identities', { safe_id: safeId })
  const entities = selectWhere(db, 'entities', { safe_id: safeId })
  const aliases = selectWhere(db, 'aliases', { safe_id: safeId })
  const relations = selectWhere(db, 'relations', { safe_id: safeId })
  const passages = selectWhere(db, 'passages', { safe_id: safeId })
  return {
    identities: () => inOrder(identities.select(IDENTITY), ranges, { key: 'key' }),
    entities: () => inOrder(entities.select(ENTITY), ranges, { key: 'key' }),
    aliases: () => inOrder(aliases.select(ALIAS), ranges, { entity_key: 'entityKey', alias: 'alias' }),
    relations: () => inOrder(relations.select(RELATION), ranges, { id: 'id' }),
    passages: () => inOrder(passages.select(PASSAGE), ranges, { id: 'id' }),
    succession: () => succession(db, safeId, ranges),
  }
}

/** Rows of these imports in pages, ordered by their primary key, whose columns after the import are `key`. */
export function inOrder<Table extends keyof Schema, Row extends { importId: number }>(
  query: SelectQueryBuilder<Schema, Table, Row>,
  ranges: readonly ImportRange[],
  key: Record<string, keyof Row & string>,
  size = PAGE,
): AsyncIterable<Row[]> {
  const columns = Object.keys(key)
  const ordered = ['import_id', ...columns].reduce((rows, column) => rows.orderBy(sql.ref(column)), query)
  return pages<Row>(ranges, size, (range, last) => {
    const lastKey = last && [last.importId, ...Object.values(key).map(member => last[member])]
    return ordered
      .where(after(range, columns, lastKey))
      .limit(size)
      .execute()
  })
}

/** An import's facts were learned when it began; those of a file's version when its run began. */
export async function succession(
  db: Db,
  safeId: string,
  ranges: readonly ImportRange[],
): Promise<Succession | null> {
  const rows = await selectWhere(db, 'single_valued', { safe_id: safeId }).select('predicate').execute()
  if (rows.length === 0) return null
  const timeOf = new Map<number, number>()
  const times = pages<{ importId: number; time: number }>(ranges, PAGE, ([from, to], last) => {
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

/** The rows of a range of imports, or those after the last row read: both are one range of the primary key. */
function after([from, to]: ImportRange, key: readonly string[], last: readonly unknown[] | null) {
  if (!last) return sql<SqlBool>`import_id >= ${from} and import_id <= ${to}`
  return sql<SqlBool>`${rowsAfter(['import_id', ...key], last)} and import_id <= ${to}`
}

/** Rows of ranges of imports in pages, each page beginning after the last row of the previous one. */
async function* pages<Row extends { importId: number }>(
  ranges: readonly ImportRange[],
  size: number,
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
      if (page.length < size) break
      await otherRequests()
    }
  }
}

/** The passages, of every layer, whose text in lower case matches `pattern`, one part at a time, so that others get their turn. */
export async function* passagesLike(
  db: Db,
  safeId: string,
  pattern: string,
): AsyncGenerator<RowRef & { text: string }> {
  const rows = selectWhere(db, 'passages', { safe_id: safeId })
    .select(['import_id as importId', 'id'])
    .select(sql<string | null>`case when lower(text) like ${pattern} then text end`.as('text'))
  for await (const page of inOrder(rows, [[0, LAST_VERSION]], { id: 'id' }))
    for (const { text, ...ref } of page) if (text !== null) yield { ...ref, text }
}
