import { setImmediate as otherRequests } from 'node:timers/promises'
import {
  type DeleteQueryBuilder,
  type DeleteResult,
  type ExpressionBuilder,
  type FilterObject,
  type Insertable,
  type InsertResult,
  type JoinBuilder,
  type RawBuilder,
  type Selectable,
  type SelectExpression,
  type Selection,
  type SelectQueryBuilder,
  type SqlBool,
  type StringReference,
  sql,
  type UpdateObject,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely'
import type { Db, Schema } from './schema.js'

export type Table = keyof Schema
/** Values of columns of a table. */
export type Values<Name extends Table> = Readonly<FilterObject<Schema, Name>>

/** A row to add. */
export type New<Name extends Table> = Insertable<Schema[Name]>

/** Selects the rows of a table that have these values. */
export function selectWhere<Name extends Table>(db: Db, table: Name, values: Values<Name>) {
  const query: unknown = db.selectFrom(table as 'safes').where(eb => eb.and(values as object))
  return query as SelectQueryBuilder<Schema, Name, object>
}

/** Updates the rows of a table that have these values. */
export function updateWhere<Name extends Table>(trx: Db, table: Name, values: Values<Name>) {
  const query: unknown = trx.updateTable(table as 'safes').where(eb => eb.and(values as object))
  return query as UpdateQueryBuilder<Schema, Name, Name, UpdateResult>
}

/** Deletes the rows of a table that have these values. */
export function deleteWhere<Name extends Table>(trx: Db, table: Name, values: Values<Name>) {
  const query: unknown = trx.deleteFrom(table as 'safes').where(eb => eb.and(values as object))
  return query as DeleteQueryBuilder<Schema, Name, DeleteResult>
}

/** A change of a row. */
export type Change<Name extends Table> =
  | UpdateObject<Schema, Name>
  | ((eb: ExpressionBuilder<Schema, Name>) => UpdateObject<Schema, Name>)

/** Finds, adds, changes and deletes rows by the values of columns. */
export const tables = {
  /** The first row that has these values: these columns, or all. */
  async find<
    Name extends Table,
    Column extends SelectExpression<Schema, Name> = never,
    Row = [Column] extends [never] ? Selectable<Schema[Name]> : Selection<Schema, Name, Column>,
  >(db: Db, table: Name, values: Values<Name>, columns?: readonly Column[]): Promise<Row | undefined> {
    const query = selectWhere(db, table, values)
    const row: unknown = await (columns ? query.select(columns) : query.selectAll()).executeTakeFirst()
    return row as Row | undefined
  },
  /** Adds a row, or several. */
  async insert<Name extends Table>(trx: Db, table: Name, row: New<Name> | New<Name>[]): Promise<void> {
    const insert = trx.insertInto(table).values(row as never)
    await insert.execute()
  },
  /** Adds a row, unless it exists. Returns whether it was added. */
  add<Name extends Table>(trx: Db, table: Name, row: New<Name>): Promise<boolean> {
    const insert = trx.insertInto(table).values(row as never)
    return hasEffect(insert.onConflict(conflict => conflict.doNothing()))
  },
  /** Changes the rows that have these values. Returns whether there are any. */
  change<Name extends Table>(trx: Db, table: Name, values: Values<Name>, change: Change<Name>) {
    return hasEffect(updateWhere(trx, table, values).set(change as never))
  },
  /** Deletes the rows that have these values. Returns whether there were any. */
  remove<Name extends Table>(trx: Db, table: Name, values: Values<Name>): Promise<boolean> {
    return hasEffect(deleteWhere(trx, table, values))
  },
}

/** Joins rows in which these columns are equal. */
export const on =
  <DB, TB extends keyof DB>(columns: Partial<Record<StringReference<DB, TB>, StringReference<DB, TB>>>) =>
  (join: JoinBuilder<DB, TB>): JoinBuilder<DB, TB> =>
    (Object.entries(columns) as [StringReference<DB, TB>, StringReference<DB, TB>][]).reduce(
      (joined, [one, other]) => joined.onRef(one, '=', other),
      join,
    )

/** Executes a statement. Returns whether it has inserted, updated or deleted a row. */
export async function hasEffect(statement: {
  executeTakeFirst(): Promise<InsertResult | UpdateResult | DeleteResult>
}): Promise<boolean> {
  const result: Partial<InsertResult & UpdateResult & DeleteResult> = await statement.executeTakeFirst()
  const { numInsertedOrUpdatedRows = 0n, numUpdatedRows = 0n, numDeletedRows = 0n } = result
  return numInsertedOrUpdatedRows + numUpdatedRows + numDeletedRows > 0n
}

const rowsBeyond =
  (sign: '>' | '<') =>
  (columns: readonly string[], values: readonly unknown[]): RawBuilder<SqlBool> =>
    sql`(${sql.join(columns.map(column => sql.ref(column)))}) ${sql.raw(sign)} (${sql.join([...values])})`

/**
 * The rows after this one, in the order of these columns: one range of an index with these columns in this order, at any
 * distance from the first row.
 */
export const rowsAfter = rowsBeyond('>')
/** Like `rowsAfter`, if the newest come first. */
export const rowsBefore = rowsBeyond('<')

/**
 * The rows of a query in pages of `size` and in the order of these columns, a unique key, which rows have under these names.
 * Other requests run in between.
 */
export async function* inPages<DB, TB extends keyof DB, Row extends object>(
  query: SelectQueryBuilder<DB, TB, Row>,
  key: Record<string, keyof Row & string>,
  size: number,
): AsyncGenerator<Row[]> {
  const columns = Object.keys(key)
  const ordered = columns.reduce((rows, column) => rows.orderBy(sql.ref(column)), query).limit(size)
  for (let next = ordered; ; await otherRequests()) {
    const page = await next.execute()
    yield page
    const last = page.at(-1)
    if (!last || page.length < size) return
    const values = Object.values(key).map(member => last[member])
    next = ordered.where(rowsAfter(columns, values))
  }
}
