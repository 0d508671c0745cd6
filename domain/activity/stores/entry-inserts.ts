import { type CompiledQuery, type Kysely, sql } from 'kysely'
import type { Schema } from '../../../platform/storage/schema.js'
import type { StoredEntry } from '../entry.js'

/** Rows per statement. Statements are compiled once, because compiling would be most of the cost of a row. */
const SIZES = [64, 16, 4, 1]
/** Ids per look-up. */
const IDS = [4, 64]

/** Adds entries, with statements that are compiled once. */
export class EntryInserts {
  readonly #db: Kysely<Schema>
  readonly #compiled = new Map<string, CompiledQuery>()

  constructor(db: Kysely<Schema>) {
    this.#db = db
  }

  /** Adds entries that are not there yet, as `ActivityStore.add` says. Returns those that were added. */
  async add(trx: Kysely<Schema>, entries: readonly StoredEntry[]): Promise<StoredEntry[]> {
    const accounts = await this.#known(trx, 'accounts', idsOf(entries, 'accountId'))
    const safes = await this.#known(trx, 'safes', idsOf(entries, 'safeId'))
    const withText = await this.#known(trx, 'connections', idsOf(entries, 'connectionId'))
    const wanted = entries
      .filter(({ accountId }) => accounts.has(accountId))
      .filter(({ safeId }) => safeId === null || safes.has(safeId))
    const added = new Set<string>()
    let at = 0
    for (const size of SIZES) {
      for (; wanted.length - at >= size; at += size) {
        const some = wanted.slice(at, at + size)
        const parameters = some.flatMap(entry => valuesOf(entry, withText.has(entry.connectionId ?? '')))
        const { rows } = await trx.executeQuery<{ id: string }>({
          ...this.#insert(size),
          parameters,
        } as CompiledQuery<{ id: string }>)
        for (const { id } of rows) added.add(id)
      }
    }
    return wanted.filter(({ id }) => added.has(id))
  }

  #insert(size: number): CompiledQuery {
    return this.#once(`insert ${size}`, () => {
      const row = Object.fromEntries(COLUMNS.map(column => [column, '']))
      return this.#db
        .insertInto('activity')
        .values(Array(size).fill(row))
        .onConflict(conflict => conflict.column('id').doNothing())
        .returning('id')
    })
  }

  /** Those of the ids that exist; of connections, those whose questions are kept. */
  async #known(
    trx: Kysely<Schema>,
    table: 'accounts' | 'safes' | 'connections',
    ids: readonly string[],
  ): Promise<Set<string>> {
    const known = new Set<string>()
    for (let at = 0; at < ids.length; ) {
      const size = IDS.find(size => size >= ids.length - at) ?? Math.max(...IDS)
      const query = this.#once(`${table} ${size}`, () =>
        this.#db
          .selectFrom(table)
          .where('id', 'in', Array(size).fill(''))
          .$if(table === 'connections', query => query.where(sql.ref('keep_questions'), '=', sql.lit(1)))
          .select('id'),
      )
      const parameters = Array.from({ length: size }, (_, i) => ids[at + i] ?? '')
      const { rows } = await trx.executeQuery<{ id: string }>({ ...query, parameters } as CompiledQuery<{
        id: string
      }>)
      for (const { id } of rows) known.add(id)
      at += size
    }
    return known
  }

  #once(name: string, build: () => { compile(): CompiledQuery }): CompiledQuery {
    const compiled = this.#compiled.get(name) ?? build().compile()
    this.#compiled.set(name, compiled)
    return compiled
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

/** The distinct ids in one column. There are few, because entries come in bursts. */
function idsOf(
  entries: readonly StoredEntry[],
  column: 'accountId' | 'safeId' | 'connectionId',
): readonly string[] {
  const ids = new Set<string>()
  for (const entry of entries) {
    const id = entry[column]
    if (id !== null) ids.add(id)
  }
  return [...ids]
}
