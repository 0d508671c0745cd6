import type {
  DeleteQueryBuilder,
  DeleteResult,
  FilterObject,
  InsertResult,
  JoinBuilder,
  Kysely,
  SelectQueryBuilder,
  StringReference,
  UpdateQueryBuilder,
  UpdateResult,
} from 'kysely'
import type { Schema } from './schema.js'

type Table = keyof Schema
/** Values of columns of a table. */
type Values<Name extends Table> = Readonly<FilterObject<Schema, Name>>

/** Selects the rows of a table that have these values. */
export function selectWhere<Name extends Table>(db: Kysely<Schema>, table: Name, values: Values<Name>) {
  const query: unknown = db.selectFrom(table as 'safes').where(eb => eb.and(values as object))
  return query as SelectQueryBuilder<Schema, Name, object>
}

/** Updates the rows of a table that have these values. */
export function updateWhere<Name extends Table>(trx: Kysely<Schema>, table: Name, values: Values<Name>) {
  const query: unknown = trx.updateTable(table as 'safes').where(eb => eb.and(values as object))
  return query as UpdateQueryBuilder<Schema, Name, Name, UpdateResult>
}

/** Deletes the rows of a table that have these values. */
export function deleteWhere<Name extends Table>(trx: Kysely<Schema>, table: Name, values: Values<Name>) {
  const query: unknown = trx.deleteFrom(table as 'safes').where(eb => eb.and(values as object))
  return query as DeleteQueryBuilder<Schema, Name, DeleteResult>
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
