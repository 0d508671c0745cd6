import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely'
import type { Schema } from './schema.js'

/** Maximum number of rows that one clean-up statement deletes, which takes about a millisecond. */
export const SLICE_ROWS = 200

/**
 * Deletes up to `limit` of the matching rows, identified by `key`. On Postgres by their physical location: it would join a
 * table that was never analyzed with itself, row by row.
 * @returns their number; less than `limit` means that none are left
 */
export async function deleteSome(
  trx: Kysely<Schema>,
  table: keyof Schema,
  key: readonly string[],
  where: RawBuilder<unknown>,
  limit = SLICE_ROWS,
): Promise<number> {
  const from = sql.table(table)
  const columns = sql.join(key.map(column => sql.ref(column)))
  const isPostgres = trx.getExecutor().adapter instanceof PostgresAdapter
  const among = isPostgres
    ? sql`ctid = any(array(select ctid from ${from} where ${where} limit ${limit}))`
    : sql`(${columns}) in (select ${columns} from ${from} where ${where} limit ${limit})`
  const { numAffectedRows } = await sql`delete from ${from} where ${where} and ${among}`.execute(trx)
  return Number(numAffectedRows ?? 0)
}
