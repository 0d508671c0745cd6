import type { Schema } from '../../../platform/storage/schema.js'
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
    return this.addRow('kept_folders', row)
  }

  async remove(safeId: string, name: string): Promise<void> {
    await this.removeRows('kept_folders', { safe_id: safeId, name })
  }

  async setProblem({ safe_id, name }: KeptFolder, code: string | null, text: string | null): Promise<void> {
    await this.changeRows('kept_folders', { safe_id, name }, { problem_code: code, problem: text })
  }
}
