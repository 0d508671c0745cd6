import type { Database } from '../../../platform/storage/database.js'
import type { Schema } from '../../../platform/storage/schema.js'

/** A folder of the server that the service itself keeps a Safe in step with. */
export type KeptFolder = Schema['kept_folders']

/** Which folders the service keeps Safes in step with (ADR 52). */
export class KeptFolderStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Those of one Safe, or of all, by name. */
  list(safeId?: string): Promise<KeptFolder[]> {
    return this.#database.read
      .selectFrom('kept_folders')
      .$if(safeId !== undefined, query => query.where('safe_id', '=', safeId ?? ''))
      .orderBy('name')
      .selectAll()
      .execute()
  }

  /** False if the Safe has one with this name. */
  add(row: KeptFolder): Promise<boolean> {
    return this.#database.write(async trx => {
      const added = await trx
        .insertInto('kept_folders')
        .values(row)
        .onConflict(conflict => conflict.doNothing())
        .executeTakeFirst()
      return (added.numInsertedOrUpdatedRows ?? 0n) > 0n
    })
  }

  async remove(safeId: string, name: string): Promise<void> {
    await this.#database.write(trx =>
      trx
        .deleteFrom('kept_folders')
        .where(eb => eb.and({ safe_id: safeId, name }))
        .execute(),
    )
  }

  async setProblem({ safe_id, name }: KeptFolder, code: string | null, text: string | null): Promise<void> {
    await this.#database.write(trx =>
      trx
        .updateTable('kept_folders')
        .set({ problem_code: code, problem: text })
        .where(eb => eb.and({ safe_id, name }))
        .execute(),
    )
  }
}
