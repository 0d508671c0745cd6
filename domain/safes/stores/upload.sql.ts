import type { Schema } from '../../../platform/storage/schema.js'
import { selectWhere, tables } from '../../../platform/storage/where.js'
import { Store } from '../../store.js'

/** An upload of an account to a Safe: a file, or the contents of a sync run. */
export type UploadRow = Schema['uploads']

const EXPIRED_AT_ONCE = 100

/** Uploads that the HTTP API has received and not used yet. Their bytes are in files. */
export class UploadStore extends Store {
  /** False if the account would have too many, or too many bytes. Calls for the same account run one by one. */
  add(row: UploadRow, most: { count: number; bytes: number }): Promise<boolean> {
    return this.database.write(async trx => {
      // Only the last run of a folder is remembered.
      const { account_id, safe_id, name } = row
      await tables.remove(trx, 'uploads', { account_id, safe_id, kind: 'ended', name })
      const { count, bytes } = await selectWhere(trx, 'uploads', { account_id: row.account_id })
        .select(eb => [eb.fn.countAll().as('count'), eb.fn.sum('bytes').as('bytes')])
        .executeTakeFirstOrThrow()
      if (Number(count) >= most.count || Number(bytes ?? 0) + row.bytes > most.bytes) return false
      await tables.insert(trx, 'uploads', row)
      return true
    }, `uploads:${row.account_id}`)
  }

  /** Also if it has expired. */
  async find(
    kinds: readonly UploadRow['kind'][],
    accountId: string,
    safeId: string,
    id: string,
  ): Promise<UploadRow | null> {
    const row = await selectWhere(this.db, 'uploads', { id, account_id: accountId, safe_id: safeId })
      .where('kind', 'in', kinds)
      .selectAll()
      .executeTakeFirst()
    return row ?? null
  }

  /** Stores the result of a run. */
  endRun(id: string, run: string): Promise<void> {
    return this.database.write(async trx => {
      const ended = { kind: 'ended', bytes: 0, run_json: run } as const
      await tables.change(trx, 'uploads', { id }, ended)
    })
  }

  remove(ids: readonly string[]): Promise<void> {
    return this.database.write(async trx => {
      await trx.deleteFrom('uploads').where('id', 'in', ids).execute()
    })
  }

  /** Some ids of uploads that expired before `now`. */
  async expired(now: number): Promise<string[]> {
    const rows = await this.db
      .selectFrom('uploads')
      .where('expires_at', '<=', now)
      .orderBy('expires_at')
      .limit(EXPIRED_AT_ONCE)
      .select('id')
      .execute()
    return rows.map(({ id }) => id)
  }

  /** Those of these ids that exist; for at most 100. */
  async existing(ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set()
    const rows = await this.db.selectFrom('uploads').where('id', 'in', ids).select('id').execute()
    return new Set(rows.map(({ id }) => id))
  }
}
