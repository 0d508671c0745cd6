import { type CompiledQuery, sql } from 'kysely'
import type { Db } from '../../../platform/storage/schema.js'
import { deleteSome } from '../../../platform/storage/slices.js'
import { PRIMARY_KEYS } from '../../../platform/storage/tables.js'
import { CompiledStatements, inSizes } from '../../compiled-statements.js'
import { nameKey } from '../documents/name-key.js'
import { type ImportRange, MAX_ROWS, type NewEntity, type RowBatch } from './types.js'

/** The tables that hold an import's rows. */
const ROW_TABLES = [
  ...(['relations', 'passages', 'document_texts', 'documents'] as const),
  ...(['aliases', 'identities', 'entities'] as const),
]
type InsertTable = (typeof ROW_TABLES)[number]

/** Deletes at most `MAX_ROWS` rows of these imports. Returns false when there were none. */
export async function deleteSomeRows(trx: Db, safeId: string, [from, to]: ImportRange): Promise<boolean> {
  let left = MAX_ROWS
  for (const table of ROW_TABLES) {
    const where = sql`safe_id = ${safeId} and import_id >= ${from} and import_id <= ${to}`
    left -= await deleteSome(trx, table, where, left)
    if (left <= 0) break
  }
  return left < MAX_ROWS
}

const COLUMNS = {
  entities: ['safe_id', 'import_id', 'key', 'name', 'type'],
  aliases: ['safe_id', 'import_id', 'entity_key', 'alias'],
  identities: ['safe_id', 'import_id', 'key', 'same_as'],
  passages: [
    ...(['safe_id', 'import_id', 'id', 'entity_key', 'title', 'text', 'source', 'seq', 'time'] as const),
    ...(['origin', 'document_id', 'line'] as const),
  ],
  relations: [
    ...(['safe_id', 'import_id', 'id', 'subject_key', 'predicate', 'object_key', 'origin'] as const),
    ...(['valid_from', 'valid_to', 'learned_on'] as const),
  ],
  documents: [
    ...(['safe_id', 'import_id', 'id', 'path', 'name_key', 'title', 'kind', 'kept', 'size'] as const),
    ...(['text_bytes', 'parts', 'time', 'tags_json', 'content_hash'] as const),
  ],
  document_texts: ['safe_id', 'import_id', 'document_id', 'part', 'bytes'],
} as const satisfies Record<InsertTable, readonly string[]>

/** What to do with a row that already exists. */
type OnConflict = 'ignore' | 'rename' | 'retype' | 'replace'
type Values = unknown[]

/** The rows of a batch that go into each table after its entities, with the values of `COLUMNS` from the third on. */
const PARTS: readonly { table: InsertTable; onConflict: OnConflict; rowsOf(batch: RowBatch): Values[] }[] = [
  {
    table: 'aliases',
    onConflict: 'ignore',
    rowsOf: ({ aliases }) => aliases.map(row => [row.entityKey, row.alias]),
  },
  {
    table: 'identities',
    onConflict: 'replace',
    rowsOf: ({ identities }) => identities.map(row => [row.key, row.sameAs]),
  },
  {
    table: 'passages',
    onConflict: 'ignore',
    rowsOf: ({ passages }) =>
      passages.map(p => [
        ...[p.id, p.entityKey, p.title, p.text, p.source, p.seq, p.time, p.origin ?? null],
        ...[p.documentId ?? null, p.line ?? null],
      ]),
  },
  {
    table: 'relations',
    onConflict: 'ignore',
    rowsOf: ({ relations }) =>
      relations.map(r => [
        ...[r.id, r.subjectKey, r.predicate, r.objectKey, r.origin ?? null],
        ...[r.validFrom ?? null, r.validTo ?? null, r.learnedOn ?? null],
      ]),
  },
  {
    table: 'documents',
    onConflict: 'ignore',
    rowsOf: ({ documents }) =>
      documents.map(d => [
        ...[d.id, d.path, nameKey(d.path), d.title, d.kind, d.kept, d.size, d.textBytes, d.parts, d.time],
        ...[JSON.stringify(d.tags), d.contentHash],
      ]),
  },
  {
    table: 'document_texts',
    onConflict: 'ignore',
    rowsOf: ({ documentTexts }) => documentTexts.map(d => [d.documentId, d.part, d.bytes]),
  },
]

/** Rows per statement. Any number is a sum of a few of these, so every statement is compiled only once. */
const SIZES = [256, 64, 16, 4, 1]

/** Multi-row inserts whose SQL is compiled once per table and size; compiling would be most of the cost of a row. */
export class RowInserts extends CompiledStatements {
  /** Adds the rows inside a transaction. Returns how many of the entities were new in this import. */
  insert(trx: Db, safeId: string, importId: number, rows: RowBatch): Promise<number> {
    return this.insertAll(trx, safeId, [{ importId, rows }])
  }

  /** The same for several imports at once. */
  async insertAll(
    trx: Db,
    safeId: string,
    batches: readonly { importId: number; rows: RowBatch }[],
  ): Promise<number> {
    const rowsOf = (values: (batch: RowBatch) => Values[]) =>
      batches.flatMap(({ importId, rows }) => {
        const all = values(rows)
        for (const row of all) row.unshift(safeId, importId)
        return all
      })
    const added = await this.#addEntities(trx, isChosen =>
      rowsOf(({ entities }) => entities.filter(isChosen).map(({ key, name, type }) => [key, name, type])),
    )
    for (const part of PARTS) await this.#run(trx, part.table, part.onConflict, rowsOf(part.rowsOf))
    return added
  }

  /** Adds entities; a later one may name or type an earlier one. Returns how many are new. */
  async #addEntities(trx: Db, rowsOf: (isChosen: (row: NewEntity) => boolean) => Values[]): Promise<number> {
    const all = rowsOf(() => true)
    const added = await this.#run(trx, 'entities', 'ignore', all)
    if (added === all.length) return added
    const named = rowsOf(({ named }) => named)
    const typed = rowsOf(({ named, type }) => !named && type !== null)
    await this.#run(trx, 'entities', 'rename', named)
    await this.#run(trx, 'entities', 'retype', typed)
    return added
  }

  /** Adds entities; those that already exist get this name and type. */
  async put(trx: Db, safeId: string, importId: number, rows: NewEntity[]): Promise<void> {
    const values = rows.map(({ key, name, type }) => [safeId, importId, key, name, type])
    await this.#run(trx, 'entities', 'replace', values)
  }

  async #run(trx: Db, table: InsertTable, onConflict: OnConflict, rows: Values[]): Promise<number> {
    let changed = 0
    for (const some of inSizes(rows, SIZES)) {
      const compiled = this.#statement(table, onConflict, some.length)
      const { numAffectedRows } = await trx.executeQuery({ ...compiled, parameters: valuesOf(some) })
      changed += Number(numAffectedRows ?? 0)
    }
    return changed
  }

  #statement(table: InsertTable, onConflict: OnConflict, size: number): CompiledQuery<unknown> {
    return this.once(`${table} ${onConflict} ${size}`, () => {
      const row = Object.fromEntries(COLUMNS[table].map(column => [column, 0]))
      const insert = this.db.insertInto(table).values(Array(size).fill(row))
      return insert.onConflict(conflict => {
        const columns = conflict.columns(PRIMARY_KEYS[table] as never)
        if (onConflict === 'ignore') return columns.doNothing()
        if (table === 'identities') return columns.doUpdateSet({ same_as: sql`excluded.same_as` } as never)
        return columns.doUpdateSet({
          type: onConflict === 'replace' ? sql`excluded.type` : sql`coalesce(excluded.type, entities.type)`,
          ...(onConflict === 'rename' || onConflict === 'replace' ? { name: sql`excluded.name` } : {}),
        } as never)
      })
    })
  }
}

/** The values of these rows one after the other. `flat` takes many times as long. */
function valuesOf(rows: readonly Values[]): Values {
  const values: Values = []
  for (const row of rows) for (const value of row) values.push(value)
  return values
}
