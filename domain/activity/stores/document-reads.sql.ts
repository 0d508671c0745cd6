import { type CompiledQuery, sql } from 'kysely'
import { dayOf } from '../../../platform/common/durations.js'
import type { Db, Schema } from '../../../platform/storage/schema.js'
import { deleteAll } from '../../../platform/storage/slices.js'
import { selectWhere } from '../../../platform/storage/where.js'
import { CompiledStatements, inSizes } from '../../compiled-statements.js'
import { Store } from '../../store.js'
import type { StoredEntry } from '../entry.js'
import { timeOfId } from '../entry-id.js'

/** Maximum characters of `parts`; older ones are cut off. */
export const MAX_PARTS = 400
/** Rows per statement, which is compiled once. */
const SIZES = [16, 4, 1]
const KEY = ['safe_id', 'path', 'day', 'connection_id'] as const
const COLUMNS = [...KEY, 'account_id', 'times', 'last_at', 'parts'] as const

/** How often an assistant read a document on one day. */
export type DayOfReads = Pick<
  Schema['document_reads'],
  'connection_id' | 'account_id' | 'times' | 'last_at' | 'parts'
>

/** The accounts whose reads are counted, and the first day. `accountId` null: all accounts. */
export interface ReadsOf {
  safeId: string
  accountId: string | null
  from: number
}

/** How often assistants read documents (ADR 43). */
export class DocumentReadStore extends Store {
  readonly #statements = new CompiledStatements(this.db)

  /** Counts the reads of entries that were added in the same transaction. */
  async add(trx: Db, entries: readonly StoredEntry[]): Promise<void> {
    for (const rows of inSizes(rowsOf(entries), SIZES)) {
      const parameters = rows.flatMap(row => COLUMNS.map(column => row[column]))
      await trx.executeQuery({ ...this.#upsert(rows.length), parameters })
    }
  }

  /** The readers of a document, the latest days first. */
  async ofDocument({ safeId, accountId, from }: ReadsOf, path: string, limit: number): Promise<DayOfReads[]> {
    return selectWhere(this.db, 'document_reads', { safe_id: safeId, path })
      .where('day', '>=', from)
      .$if(accountId !== null, query => query.where('account_id', '=', accountId))
      .orderBy('day', 'desc')
      .limit(limit)
      .select(['connection_id', 'account_id', 'times', 'last_at', 'parts'])
      .execute()
  }

  /** The latest reads of documents, the latest first: those with these paths, or the first `limit` of all. */
  async latest({ safeId, accountId, from }: ReadsOf, limit: number, paths?: readonly string[]) {
    const rows = await selectWhere(this.db, 'document_reads', { safe_id: safeId })
      .where('day', '>=', from)
      .$if(accountId !== null, query => query.where('account_id', '=', accountId))
      .$if(paths !== undefined, query => query.where('path', 'in', paths ?? []))
      .groupBy('path')
      .orderBy(eb => eb.fn.max('last_at'), 'desc')
      .limit(limit)
      .select(['path', eb => eb.fn.max('last_at').as('at')])
      .execute()
    return new Map(rows.map(({ path, at }) => [path, Number(at)]))
  }

  /**
   * How often each of some documents, or of folders with their subfolders, was read, in the order of `places`. A folder ends
   * with a slash. At most `limit` rows of each are examined, so very frequent reads are counted too low.
   */
  async inPlaces(
    { safeId, accountId, from }: ReadsOf,
    places: readonly string[],
    limit: number,
  ): Promise<number[]> {
    if (places.length === 0) return []
    const visible = accountId === null ? sql`` : sql`where account_id = ${accountId}`
    const counts = places.map((place, at) => {
      const isIn = place.endsWith('/')
        ? sql`path >= ${place} and path < ${`${place.slice(0, -1)}0`}`
        : sql`path = ${place}`
      return sql`select ${sql.lit(at)} as place, coalesce(sum(times), 0) as times from (select times, account_id
        from document_reads where safe_id = ${safeId} and ${isIn} and day >= ${from}
        limit ${sql.lit(limit)}) as r ${visible}`
    })
    const { rows } = await sql<{ place: number; times: number | string }>`${sql.join(
      counts,
      sql` union all `,
    )}`.execute(this.db)
    const times = new Map(rows.map(({ place, times }) => [Number(place), Number(times)]))
    return places.map((_, at) => times.get(at) ?? 0)
  }

  /** Deletes the reads in a Safe, or by an account's assistants. */
  forget(column: 'account_id' | 'safe_id', id: string): Promise<void> {
    return deleteAll(this.database, 'document_reads', sql`${sql.ref(column)} = ${id}`)
  }

  /** Deletes the reads before this day. */
  expire(day: number): Promise<void> {
    return deleteAll(this.database, 'document_reads', sql`day < ${day}`)
  }

  #upsert(size: number): CompiledQuery<unknown> {
    return this.#statements.once(`${size}`, () => {
      const [old, added] = [sql.ref('document_reads.parts'), sql.ref('excluded.parts')]
      return this.db
        .insertInto('document_reads')
        .values(Array(size).fill(Object.fromEntries(COLUMNS.map(column => [column, '']))))
        .onConflict(conflict =>
          conflict.columns([...KEY]).doUpdateSet({
            times: sql`document_reads.times + excluded.times`,
            last_at: sql`excluded.last_at`,
            parts: sql`case when ',' || ${old} || ',' like '%,' || ${added} || ',%' then ${old}
            else substr(${added} || ',' || ${old}, 1, ${sql.lit(MAX_PARTS)}) end`,
          }),
        )
    })
  }
}

/**
 * The reads of a batch of entries, each key once, because a statement may change a row only once. Ordered by key,
 * so that two processes that change the same rows do not wait for each other.
 */
function rowsOf(entries: readonly StoredEntry[]): Schema['document_reads'][] {
  const rows = new Map<string, Schema['document_reads']>()
  for (const { id, safeId, connectionId, accountId, documents } of entries) {
    if (safeId === null || connectionId === null) continue
    const at = timeOfId(id)
    const day = dayOf(at)
    for (const { path, parts } of documents) {
      const key = [safeId, path, day, connectionId].join('\0')
      const before = rows.get(key)
      rows.set(key, {
        ...{ safe_id: safeId, path, day, connection_id: connectionId, account_id: accountId, last_at: at },
        times: (before?.times ?? 0) + 1,
        parts: joined(parts, before?.parts),
      })
    }
  }
  return [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
}

const joined = (parts: string, before = '') =>
  (before === '' || before === parts ? parts : `${parts},${before}`).slice(0, MAX_PARTS)
