import { sql } from 'kysely'
import type { Db, Schema } from '../../../platform/storage/schema.js'
import { CompiledStatements, inSizes, ListQuery } from '../../compiled-statements.js'
import type { StoredEntry } from '../entry.js'

/** Rows per statement. Statements are compiled once, because compiling would be most of the cost of a row. */
const SIZES = [64, 16, 4, 1]

/** Adds entries, with statements that are compiled once. */
export class EntryInserts extends CompiledStatements {
  readonly #accounts = this.#idsIn('accounts')
  readonly #safes = this.#idsIn('safes')
  /** Those whose questions are stored. */
  readonly #connections = this.#idsIn('connections')

  /** Adds new entries, as described at `ActivityStore.add`. Returns those that were added. */
  async add(trx: Db, entries: readonly StoredEntry[]): Promise<StoredEntry[]> {
    const known = async (
      query: ListQuery<{ id: string }>,
      member: 'accountId' | 'safeId' | 'connectionId',
    ) => {
      const ids = [...new Set(entries.flatMap(entry => entry[member] ?? []))]
      return new Set((await query.rows([], ids, trx)).map(({ id }) => id))
    }
    const accounts = await known(this.#accounts, 'accountId')
    const safes = await known(this.#safes, 'safeId')
    const withText = await known(this.#connections, 'connectionId')
    const wanted = entries
      .filter(({ accountId }) => accounts.has(accountId))
      .filter(({ safeId }) => safeId === null || safes.has(safeId))
    const added = new Set<string>()
    for (const some of inSizes(wanted, SIZES)) {
      const parameters = some.flatMap(entry => valuesOf(entry, withText.has(entry.connectionId ?? '')))
      const { rows } = await trx.executeQuery<{ id: string }>({ ...this.#insert(some.length), parameters })
      for (const { id } of rows) added.add(id)
    }
    return wanted.filter(({ id }) => added.has(id))
  }

  #insert(size: number) {
    return this.once(`${size}`, () => {
      const row = Object.fromEntries(COLUMNS.map(column => [column, '']))
      const insert = this.db.insertInto('activity').values(Array(size).fill(row))
      return insert.onConflict(conflict => conflict.column('id').doNothing()).returning('id')
    })
  }

  #idsIn(table: 'accounts' | 'safes' | 'connections') {
    return new ListQuery<{ id: string }>(this.db, length =>
      this.db
        .selectFrom(table)
        .where('id', 'in', Array(length).fill(''))
        .$if(table === 'connections', query => query.where(sql.ref('keep_questions'), '=', sql.lit(1)))
        .select('id'),
    )
  }
}

const COLUMNS = [
  'id',
  'account_id',
  'kind',
  'safe_id',
  'connection_id',
  'detail',
  'facts',
  'passages',
  'question',
  'read_json',
] as const satisfies readonly (keyof Schema['activity'])[]

/** The values of `COLUMNS`. */
function valuesOf(entry: StoredEntry, withText: boolean): unknown[] {
  const { id, accountId, kind, safeId, connectionId, detail, facts, passages, question, readJson } = entry
  const text = withText ? question : null
  return [id, accountId, kind, safeId, connectionId, detail, facts, passages, text, readJson]
}
