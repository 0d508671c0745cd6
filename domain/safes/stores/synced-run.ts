import type { Kysely } from 'kysely'
import type { Schema } from '../../../platform/storage/schema.js'
import { hasEffect, selectWhere, updateWhere } from '../../../platform/storage/where.js'
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
  return hasEffect(
    updateWhere(trx, 'synced_folders', {
      safe_id: safeId,
      id: folder,
      visible_run: before.run,
    })
      .set({ visible_run: run, ...after })
      .$if(now === undefined, query => query.where('pending_run', '=', run))
      .$if(now !== undefined, query => query.where('held_until', '<=', now ?? 0)),
  )
}

/** Returns to the state before the newest run of a synced folder. Returns the reason if it cannot, or null. */
export async function hideRun(trx: Kysely<Schema>, safeId: string, { folder, before }: SyncRun, run: number) {
  const { run: visible_run, ...counts } = before
  if (
    await hasEffect(
      updateWhere(trx, 'synced_folders', {
        safe_id: safeId,
        id: folder,
        visible_run: run,
      })
        .set({ visible_run, ...counts })
        .where('dropped_run', '<', run),
    )
  )
    return null
  const now = await selectWhere(trx, 'synced_folders', { safe_id: safeId, id: folder })
    .select('visible_run')
    .executeTakeFirst()
  return { laterRun: now && now.visible_run !== run ? now.visible_run : null }
}
