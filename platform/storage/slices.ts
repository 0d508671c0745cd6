import { setTimeout as pause } from 'node:timers/promises'
import { PostgresAdapter, type RawBuilder, sql } from 'kysely'
import type { Database } from './database.js'
import type { Db, Schema } from './schema.js'
import { PRIMARY_KEYS } from './tables.js'

/** Pause between slices of background work, so that other writers can proceed. */
const PAUSE_MS = 5

/**
 * Runs long background work, such as clean-up, in slices. Each `slice` is one short transaction and returns
 * whether there may be more to do.
 */
export async function inSlices(slice: () => Promise<boolean>): Promise<void> {
  while (await slice()) await pause(PAUSE_MS)
}

/** Maximum number of rows that one clean-up statement deletes, which takes about a millisecond. */
export const SLICE_ROWS = 200

/**
 * Deletes up to `limit` of the matching rows. On Postgres by their physical location: it would join a
 * table that was never analyzed with itself, row by row.
 * @returns their number; less than `limit` means that none are left
 */
export async function deleteSome(
  trx: Db,
  table: keyof Schema,
  where: RawBuilder<unknown>,
  limit = SLICE_ROWS,
): Promise<number> {
  const from = sql.table(table)
  const columns = sql.join(PRIMARY_KEYS[table].map(column => sql.ref(column)))
  const isPostgres = trx.getExecutor().adapter instanceof PostgresAdapter
  const among = isPostgres
    ? sql`ctid = any(array(select ctid from ${from} where ${where} limit ${limit}))`
    : sql`(${columns}) in (select ${columns} from ${from} where ${where} limit ${limit})`
  const { numAffectedRows } = await sql`delete from ${from} where ${where} and ${among}`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

/** Deletes all matching rows, one slice after the other. */
export const deleteAll = (database: Database, table: keyof Schema, where: RawBuilder<unknown>) =>
  inSlices(async () => (await database.write(trx => deleteSome(trx, table, where))) === SLICE_ROWS)
