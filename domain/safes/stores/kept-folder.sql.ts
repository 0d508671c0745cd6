import type { Schema } from '../../../platform/storage/schema.js'
import { deleteWhere, hasEffect, updateWhere } from '../../../platform/storage/where.js'
import { Store } from '../../store.js'

/** A folder of the server that the service itself syncs into a Safe. */
export type KeptFolder = Schema['kept_folders']

/** Which folders the service syncs into Safes (ADR 52). */
export class KeptFolderStore extends Store {
  /** Those of one Safe, or of all, by name. */
  list(safeId?: string): Promise<KeptFolder[]> {
    return this.db
      .selectFrom('kept_folders')
      .$if(safeId !== undefined, query => query.where('safe_id', '=', safeId ?? ''))
      .orderBy('name')
      .selectAll()
      .execute()
  }

  /** False if the Safe has one with this name. */
  add(row: KeptFolder): Promise<boolean> {
    return this.database.write(trx =>
      hasEffect(
        trx
          .insertInto('kept_folders')
          .values(row)
          .onConflict(conflict => conflict.doNothing()),
      ),
    )
  }

  async remove(safeId: string, name: string): Promise<void> {
    await this.database.write(trx => deleteWhere(trx, 'kept_folders', { safe_id: safeId, name }).execute())
  }

  async setProblem({ safe_id, name }: KeptFolder, code: string | null, text: string | null): Promise<void> {
    await this.database.write(trx =>
      updateWhere(trx, 'kept_folders', { safe_id, name })
        .set({ problem_code: code, problem: text })
        .execute(),
    )
  }
}
