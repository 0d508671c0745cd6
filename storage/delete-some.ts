import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from './schema.js'

/** Maximum number of rows that one clean-up statement deletes, which takes about a millisecond. */
export const SLICE_ROWS = 200

/**
 * Deletes up to `SLICE_ROWS` of the matching rows.
 * @returns their number; less than `SLICE_ROWS` means that none are left
 */
export async function deleteSome(
  trx: Kysely<Schema>,
  table: keyof Schema,
  key: readonly string[],
  where: RawBuilder<unknown>,
): Promise<number> {
  const columns = sql.join(key.map(column => sql.ref(column)))
  const found = sql`select ${columns} from ${sql.table(table)} where ${where} limit ${SLICE_ROWS}`
  const { numAffectedRows } =
    await sql`delete from ${sql.table(table)} where (${columns}) in (${found})`.execute(trx)
  return Number(numAffectedRows ?? 0)
}
