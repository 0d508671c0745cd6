import type { Kysely } from 'kysely'
import type { Database } from '../../../platform/storage/database.js'
import type { Schema } from '../../../platform/storage/schema.js'
import { Removed, type RemovedStatement } from '../removed/removed.js'
import { changeContent } from './import-effects.js'

/** What was removed from a Safe (ADR 45), the newest first. */
export async function removedOf(db: Kysely<Schema>, safeId: string): Promise<Removed> {
  const rows = await db
    .selectFrom('removed_statements')
    .where('safe_id', '=', safeId)
    .orderBy('removed_at', 'desc')
    .orderBy('id')
    .selectAll()
    .execute()
  return new Removed(
    rows.map(({ id, kind, keys_json, shown_json, removed_at }) => ({
      id,
      kind,
      keys: JSON.parse(keys_json),
      shown: JSON.parse(shown_json),
      removedAt: Number(removed_at),
    })),
  )
}

/** Facts and passages that owners have removed from Safes. */
export class RemovedStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  of(safeId: string): Promise<Removed> {
    return removedOf(this.#database.read, safeId)
  }

  /** Removes a statement, in one step. False if there are `most` already. Removing it again changes nothing. */
  add(
    safeId: string,
    { id, kind, keys, shown, removedAt }: RemovedStatement,
    most: number,
  ): Promise<boolean> {
    return this.#database.write(async trx => {
      const { count } = await trx
        .selectFrom('removed_statements')
        .where('safe_id', '=', safeId)
        .select(eb => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      if (Number(count) >= most) return false
      const texts = { keys_json: JSON.stringify(keys), shown_json: JSON.stringify(shown) }
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto('removed_statements')
        .values({ safe_id: safeId, id, kind, ...texts, removed_at: removedAt })
        .onConflict(conflict => conflict.doNothing())
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows) await changeContent(trx, safeId, `removed ${id}`, 'retires indexes')
      return true
    }, safeId)
  }

  /** Brings a statement back. False if it is not removed. */
  restore(safeId: string, id: string): Promise<boolean> {
    return this.#database.write(async trx => {
      const { numDeletedRows } = await trx
        .deleteFrom('removed_statements')
        .where('safe_id', '=', safeId)
        .where('id', '=', id)
        .executeTakeFirst()
      if (numDeletedRows === 0n) return false
      await changeContent(trx, safeId, `brought back ${id}`, 'retires indexes')
      return true
    }, safeId)
  }
}
