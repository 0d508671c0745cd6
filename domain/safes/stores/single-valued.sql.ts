import type { Database } from '../../../platform/storage/database.js'
import { changeContent } from './import-effects.js'

/** Predicates of Safes that have one value at a time (ADR 55), in the spelling of the index. */
export class SingleValuedStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** In alphabetical order. */
  async list(safeId: string): Promise<string[]> {
    const rows = await this.#database.read
      .selectFrom('single_valued')
      .where('safe_id', '=', safeId)
      .orderBy('predicate')
      .select('predicate')
      .execute()
    return rows.map(({ predicate }) => predicate)
  }

  /**
   * Marks a predicate, or removes the mark. Answers change, so the Safe gets a new version. Returns false, and changes
   * nothing, when it is so already or there are `most` marks.
   */
  set(safeId: string, predicate: string, isOn: boolean, most: number): Promise<boolean> {
    return this.#database.write(async trx => {
      const { count } = await trx
        .selectFrom('single_valued')
        .where('safe_id', '=', safeId)
        .select(eb => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      if (isOn && Number(count) >= most) return false
      const row = { safe_id: safeId, predicate }
      const change = isOn
        ? await trx
            .insertInto('single_valued')
            .values(row)
            .onConflict(conflict => conflict.doNothing())
            .executeTakeFirst()
        : await trx
            .deleteFrom('single_valued')
            .where('safe_id', '=', safeId)
            .where('predicate', '=', predicate)
            .executeTakeFirst()
      const changed = 'numDeletedRows' in change ? change.numDeletedRows : change.numInsertedOrUpdatedRows
      if (!changed) return false
      await changeContent(trx, safeId, `single-valued ${isOn} ${predicate}`, 'keeps indexes')
      return true
    }, safeId)
  }
}
