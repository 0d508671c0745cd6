import { type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * The rows after this one, in the order of these columns: one range of an index with these columns in this order, at any
 * distance from the first row.
 */
export function rowsAfter(columns: readonly string[], values: readonly unknown[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${refs(columns)}) > (${sql.join([...values])})`
}

/** Like `rowsAfter`, if the newest come first. */
export function rowsBefore(columns: readonly string[], values: readonly unknown[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${refs(columns)}) < (${sql.join([...values])})`
}

const refs = (columns: readonly string[]) => sql.join(columns.map(column => sql.ref(column)))
