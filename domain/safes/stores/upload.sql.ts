import type { Database } from '../../../platform/storage/database.js'
import type { Schema } from '../../../platform/storage/schema.js'

/** What an account sends to a Safe: a file, or the contents of a sync run. */
export type UploadRow = Schema['uploads']

/** What an account may have at a time. */
interface UploadLimits {
  count: number
  bytes: number
}

const EXPIRED_AT_ONCE = 100

/** What the HTTP API has received and not used yet. Its bytes are in files. */
export class UploadStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** False when the account would have too many, or too many bytes. Calls for the same account run one by one. */
  add(row: UploadRow, most: UploadLimits): Promise<boolean> {
    return this.#database.write(async trx => {
      // Only the last run of a folder is remembered.
      await trx
        .deleteFrom('uploads')
        .where('account_id', '=', row.account_id)
        .where(eb => eb.and({ safe_id: row.safe_id, kind: 'ended', name: row.name }))
        .execute()
      const { count, bytes } = await trx
        .selectFrom('uploads')
        .where('account_id', '=', row.account_id)
        .select(eb => [eb.fn.countAll().as('count'), eb.fn.sum('bytes').as('bytes')])
        .executeTakeFirstOrThrow()
      if (Number(count) >= most.count || Number(bytes ?? 0) + row.bytes > most.bytes) return false
      await trx.insertInto('uploads').values(row).execute()
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
    const row = await this.#database.read
      .selectFrom('uploads')
      .where('id', '=', id)
      .where('kind', 'in', kinds)
      .where(eb => eb.and({ account_id: accountId, safe_id: safeId }))
      .selectAll()
      .executeTakeFirst()
    return row ?? null
  }

  /** Keeps how a run ended. */
  endRun(id: string, run: string): Promise<void> {
    return this.#database.write(async trx => {
      const ended = { kind: 'ended', bytes: 0, run_json: run } as const
      await trx.updateTable('uploads').set(ended).where('id', '=', id).execute()
    })
  }

  remove(ids: readonly string[]): Promise<void> {
    return this.#database.write(async trx => {
      await trx.deleteFrom('uploads').where('id', 'in', ids).execute()
    })
  }

  /** Some ids of what expired before `now`. */
  async expired(now: number): Promise<string[]> {
    const rows = await this.#database.read
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
    const rows = await this.#database.read.selectFrom('uploads').where('id', 'in', ids).select('id').execute()
    return new Set(rows.map(({ id }) => id))
  }
}
