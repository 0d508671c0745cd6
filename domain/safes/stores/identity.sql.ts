import type { Database } from '../../../platform/storage/database.js'

/** Pairs of things of one Safe that are remembered as different. */
const MOST_APART = 10_000

/** Two keys, the lower one first. */
export type KeyPair = readonly [key: string, other: string]

/** What owners said about duplicates (ADR 56). */
export class IdentityStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Remembers that two things are not the same. False when very many pairs are remembered already. */
  keepApart(safeId: string, [key, other]: KeyPair): Promise<boolean> {
    return this.#database.write(async trx => {
      const { count } = await trx
        .selectFrom('distinct_entities')
        .where('safe_id', '=', safeId)
        .select(eb => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      if (Number(count) >= MOST_APART) return false
      await trx
        .insertInto('distinct_entities')
        .values({ safe_id: safeId, key, other_key: other })
        .onConflict(conflict => conflict.doNothing())
        .execute()
      return true
    }, safeId)
  }

  /** Forgets it. */
  async allow(safeId: string, [key, other]: KeyPair): Promise<void> {
    await this.#database.write(
      trx =>
        trx
          .deleteFrom('distinct_entities')
          .where('safe_id', '=', safeId)
          .where('key', '=', key)
          .where('other_key', '=', other)
          .execute(),
      safeId,
    )
  }

  /** All pairs that are not the same. */
  async apart(safeId: string): Promise<KeyPair[]> {
    const rows = await this.#database.read
      .selectFrom('distinct_entities')
      .where('safe_id', '=', safeId)
      .limit(MOST_APART)
      .select(['key', 'other_key'])
      .execute()
    return rows.map(({ key, other_key }): KeyPair => [key, other_key])
  }
}
