import { type CompiledQuery, sql } from 'kysely'
import type { Db, Schema } from '../../../platform/storage/schema.js'
import { deleteSome } from '../../../platform/storage/slices.js'
import { PRIMARY_KEYS } from '../../../platform/storage/tables.js'
import { CompiledStatements, inSizes } from '../../compiled-statements.js'
import { toRow } from '../../names.js'
import { nameKey } from '../documents/name-key.js'
import { type ImportRange, MAX_ROWS, type NewEntity, type RowBatch } from './types.js'

/** The tables of an import's rows in the order in which they are written, with the columns after its id as the domain names them. */
const MEMBERS = {
  entities: ['key', 'name', 'type'],
  aliases: ['entityKey', 'alias'],
  identities: ['key', 'sameAs'],
  passages: [
    ...['id', 'entityKey', 'title', 'text', 'source', 'seq', 'time'],
    ...['origin', 'documentId', 'line'],
  ],
  relations: [
    ...['id', 'subjectKey', 'predicate', 'objectKey', 'origin'],
    ...['validFrom', 'validTo', 'learnedOn'],
  ],
  documents: [
    ...['id', 'path', 'nameKey', 'title', 'kind', 'kept', 'size'],
    ...['textBytes', 'parts', 'time', 'tagsJson', 'contentHash'],
  ],
  document_texts: ['documentId', 'part', 'bytes'],
} satisfies Partial<Record<keyof Schema, readonly string[]>>
type InsertTable = keyof typeof MEMBERS
const ROW_TABLES = Object.keys(MEMBERS) as InsertTable[]

/** Deletes at most `MAX_ROWS` rows of these imports. Returns false when there were none. */
export async function deleteSomeRows(trx: Db, safeId: string, [from, to]: ImportRange): Promise<boolean> {
  let left = MAX_ROWS
  for (const table of ROW_TABLES.toReversed()) {
    const where = sql`safe_id = ${safeId} and import_id >= ${from} and import_id <= ${to}`
    left -= await deleteSome(trx, table, where, left)
    if (left <= 0) break
  }
  return left < MAX_ROWS
}

/** What to do with a row that already exists. */
type OnConflict = 'ignore' | 'rename' | 'retype' | 'replace'
type Values = unknown[]

/** The rows of a batch that go into a table. */
function rowsFor(table: InsertTable, { documents, documentTexts, ...batch }: RowBatch): readonly object[] {
  if (table === 'document_texts') return documentTexts
  if (table !== 'documents') return batch[table]
  return documents.map(row => ({ ...row, nameKey: nameKey(row.path), tagsJson: JSON.stringify(row.tags) }))
}

/** The values of a row. */
const valuesFor = (table: InsertTable, safeId: string, importId: number, row: object): Values => [
  ...[safeId, importId],
  ...MEMBERS[table].map(member => (row as Record<string, unknown>)[member] ?? null),
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
    const valuesOf = (table: InsertTable, isChosen: (row: NewEntity) => boolean = () => true) =>
      batches.flatMap(({ importId, rows }) => {
        const some = table === 'entities' ? rows.entities.filter(isChosen) : rowsFor(table, rows)
        return some.map(row => valuesFor(table, safeId, importId, row))
      })
    const entities = valuesOf('entities')
    const added = await this.#run(trx, 'entities', 'ignore', entities)
    if (added < entities.length) {
      // A later entity may name or type an earlier one.
      const named = valuesOf('entities', row => row.named)
      const typed = valuesOf('entities', row => !row.named && row.type !== null)
      await this.#run(trx, 'entities', 'rename', named)
      await this.#run(trx, 'entities', 'retype', typed)
    }
    for (const table of ROW_TABLES.slice(1))
      await this.#run(trx, table, table === 'identities' ? 'replace' : 'ignore', valuesOf(table))
    return added
  }

  /** Adds entities; those that already exist get this name and type. */
  async put(trx: Db, safeId: string, importId: number, rows: NewEntity[]): Promise<void> {
    const values = rows.map(row => valuesFor('entities', safeId, importId, row))
    await this.#run(trx, 'entities', 'replace', values)
  }

  async #run(trx: Db, table: InsertTable, onConflict: OnConflict, rows: Values[]): Promise<number> {
    let changed = 0
    for (const some of inSizes(rows, SIZES)) {
      const compiled = this.#statement(table, onConflict, some.length)
      const { numAffectedRows } = await trx.executeQuery({ ...compiled, parameters: joined(some) })
      changed += Number(numAffectedRows ?? 0)
    }
    return changed
  }

  #statement(table: InsertTable, onConflict: OnConflict, size: number): CompiledQuery<unknown> {
    return this.once(`${table} ${onConflict} ${size}`, () => {
      const members = ['safeId', 'importId', ...MEMBERS[table]]
      const row = toRow(Object.fromEntries(members.map(member => [member, 0])))
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
function joined(rows: readonly Values[]): Values {
  const values: Values = []
  for (const row of rows) for (const value of row) values.push(value)
  return values
}
