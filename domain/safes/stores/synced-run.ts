import type { Kysely } from 'kysely'
import type { Schema } from '../../../platform/storage/schema.js'
import type { SyncRun } from '../safe.js'

/**
 * Makes a run of a synced folder visible: all its versions of files at once (ADR 52). False when the folder has
 * changed since, or, given `now`, a run is at work.
 */
export async function showRun(
  trx: Kysely<Schema>,
  safeId: string,
  { folder, before, after }: SyncRun,
  run: number,
  now?: number,
): Promise<boolean> {
  const changed = await trx
    .updateTable('synced_folders')
    .set({ visible_run: run, ...after })
    .where(eb => eb.and({ safe_id: safeId, id: folder, visible_run: before.run }))
    .$if(now === undefined, query => query.where('pending_run', '=', run))
    .$if(now !== undefined, query => query.where('held_until', '<=', now ?? 0))
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** Goes back to the state before the newest run of a synced folder. Returns why not, or null. */
export async function hideRun(trx: Kysely<Schema>, safeId: string, { folder, before }: SyncRun, run: number) {
  const { run: visible_run, ...counts } = before
  const { numUpdatedRows } = await trx
    .updateTable('synced_folders')
    .set({ visible_run, ...counts })
    .where(eb => eb.and({ safe_id: safeId, id: folder, visible_run: run }))
    .where('dropped_run', '<', run)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return null
  const now = await trx
    .selectFrom('synced_folders')
    .where(eb => eb.and({ safe_id: safeId, id: folder }))
    .select('visible_run')
    .executeTakeFirst()
  return { laterRun: now && now.visible_run !== run ? now.visible_run : null }
}
