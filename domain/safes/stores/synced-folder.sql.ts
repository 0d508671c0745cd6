import type { Db, Schema } from '../../../platform/storage/schema.js'
import { deleteWhere, hasEffect, inPages, on, selectWhere, tables } from '../../../platform/storage/where.js'
import { Store } from '../../store.js'
import type { FolderCounts, SyncedFolder } from '../safe.js'
import { deleteSomeRows } from './row-inserts.js'
import { type Claim, changeFolder, foldersOf, knownFile, NEVER, stateOf, versions } from './synced-rows.js'
import type { KnownFile } from './types.js'
import { FIRST_VERSION, LAST_VERSION, MAX_ROWS } from './types.js'

/** Maximum runs of a folder that can be undone, if they are not too old. */
const RUNS_KEPT = 100
const FILES_AT_ONCE = 1_000
/** Versions dropped in one transaction. */
const DROPPED_AT_ONCE = 100
const FOLDERS_SHOWN = 50

/** The current state of synced folders, and dropping old versions of them (ADR 52). */
export class SyncedFolderStore extends Store {
  /** The folder with this name, and its location at the last run. */
  async find(
    safeId: string,
    name: string,
  ): Promise<(Pick<Claim, 'safeId' | 'folder' | 'visibleRun' | 'report'> & { location: string }) | null> {
    const row = await foldersOf(this.db, safeId).where('name', '=', name).selectAll().executeTakeFirst()
    if (!row) return null
    const { report } = stateOf(row)
    return { safeId, folder: row.id, visibleRun: row.visible_run, report, location: row.folder }
  }

  /** Whether this is the id of a version of a file of the folder with this name. */
  async isIn(safeId: string, name: string, version: number): Promise<boolean> {
    const row = await this.db
      .selectFrom('synced_files as f')
      .innerJoin('synced_folders as d', on({ 'd.safe_id': 'f.safe_id', 'd.id': 'f.folder_id' }))
      .where(eb => eb.and({ 'f.safe_id': safeId, 'f.id': version, 'd.name': name }))
      .select('f.id')
      .executeTakeFirst()
    return row !== undefined
  }

  /** The folders of a Safe by name; at most 50. */
  async list(safeId: string, now: number): Promise<SyncedFolder[]> {
    const rows = await selectWhere(this.db, 'synced_folders', { safe_id: safeId })
      .orderBy('name')
      .limit(FOLDERS_SHOWN)
      .selectAll()
      .execute()
    return rows.map(row => ({
      safeId,
      id: row.id,
      name: row.name,
      folder: row.folder,
      visibleRun: row.visible_run,
      isBusy: row.held_until > now,
      checkedAt: row.checked_at === 0 ? null : row.checked_at,
      ...stateOf(row),
    }))
  }

  /** The visible files. */
  async files(claim: Pick<Claim, 'safeId' | 'folder' | 'visibleRun'>): Promise<KnownFile[]> {
    const { safeId, folder, visibleRun } = claim
    const visible = this.db
      .selectFrom('synced_files as f')
      .leftJoin('documents as d', on({ 'd.safe_id': 'f.safe_id', 'd.import_id': 'f.id', 'd.path': 'f.path' }))
      .where(eb => eb.and({ 'f.safe_id': safeId, 'f.folder_id': folder, 'f.until_run': NEVER }))
      .where('f.from_run', '<=', visibleRun)
      .select(['f.id', 'f.first_id', 'f.path', 'f.size', 'f.modified_at', 'f.content_hash', 'f.looked_up'])
      .select(['f.relations', 'f.passages', 'd.kind'])
    const files: KnownFile[] = []
    for await (const rows of inPages(visible, { 'f.id': 'id' }, FILES_AT_ONCE))
      files.push(...rows.map(knownFile))
    return files
  }

  /** The contents of the folder once this run is visible. */
  async countsAt({ safeId, folder }: Claim, run: number): Promise<FolderCounts> {
    const at = this.db
      .selectFrom('synced_files as f')
      .where(eb => eb.and({ 'f.safe_id': safeId, 'f.folder_id': folder }))
      .where('f.from_run', '<=', run)
      .where('f.until_run', '>', run)
    const sums = await at
      .select(eb => [
        eb.fn.countAll().as('files'),
        eb.fn.sum('f.relations').as('relations'),
        eb.fn.sum('f.passages').as('passages'),
      ])
      .executeTakeFirstOrThrow()
    const named = await at
      .innerJoin('entities as e', on({ 'e.safe_id': 'f.safe_id', 'e.import_id': 'f.id' }))
      .select(eb => eb.fn.count('e.key').distinct().as('entities'))
      .executeTakeFirstOrThrow()
    return {
      files: Number(sums.files),
      entities: Number(named.entities),
      relations: Number(sums.relations ?? 0),
      passages: Number(sums.passages ?? 0),
    }
  }

  /** Every folder, or every folder of one Safe, in pages. */
  async *all(onlySafe?: string): AsyncGenerator<{ safeId: string; folder: number }> {
    const folders = this.db
      .selectFrom('synced_folders')
      .$if(onlySafe !== undefined, query => query.where('safe_id', '=', onlySafe ?? ''))
      .select(['safe_id as safeId', 'id as folder'])
    const key = { safe_id: 'safeId', id: 'folder' } as const
    for await (const some of inPages(folders, key, FOLDERS_SHOWN)) yield* some
  }

  /**
   * Drops some rows of versions that cannot become visible again: those of failed runs, and those that runs have
   * replaced which are no longer among the newest 100 since `since`. False when none are left.
   */
  dropSome(safeId: string, folder: number, since: number): Promise<boolean> {
    return this.database.write(async trx => {
      const row = await foldersOf(trx, safeId).where('id', '=', folder).selectAll().executeTakeFirst()
      if (!row) return false
      const dropped = Math.max(row.dropped_run, await lastToDrop(trx, row, since))
      const found = await versions(trx, { safeId, folder })
        .where('until_run', '<=', dropped)
        .orderBy('until_run')
        .orderBy('id')
        .limit(DROPPED_AT_ONCE)
        .select(['id', 'until_run'])
        .execute()
      if (found.length === 0) return false
      await changeFolder(trx, safeId, folder).set({ dropped_run: dropped }).execute()
      if (found.some(({ until_run }) => until_run > 0))
        // From now on no answer uses an index that refers to these rows.
        await tables.change(trx, 'safes', { id: safeId }, eb => ({ readable_from: eb.ref('version') }))
      for (const { id } of found) if (await deleteSomeRows(trx, safeId, [id, id])) return true
      await deleteWhere(trx, 'synced_files', { safe_id: safeId })
        .where(
          'id',
          'in',
          found.map(({ id }) => id),
        )
        .execute()
      return true
    }, safeId)
  }

  /** Deletes some of the versions of folders in a Safe that is being removed. False if nothing is left. */
  forgetSome(safeId: string): Promise<boolean> {
    return this.database.write(async trx => {
      if (await deleteSomeRows(trx, safeId, [FIRST_VERSION, LAST_VERSION])) return true
      const some = selectWhere(trx, 'synced_files', { safe_id: safeId }).limit(MAX_ROWS).select('id')
      return hasEffect(deleteWhere(trx, 'synced_files', { safe_id: safeId }).where('id', 'in', some))
    })
  }
}

/** The last run that can no longer be undone. */
async function lastToDrop(
  trx: Db,
  { safe_id, name, visible_run }: Pick<Schema['synced_folders'], 'safe_id' | 'name' | 'visible_run'>,
  since: number,
): Promise<number> {
  const runs = await selectWhere(trx, 'imports', {
    safe_id,
    format: 'sync',
    source: name,
    status: 'committed',
  })
    .where('id', '<=', visible_run)
    .orderBy('id', 'desc')
    .limit(RUNS_KEPT + 1)
    .select(['id', 'committed_at'])
    .execute()
  const at = runs.findIndex(({ committed_at }, kept) => kept >= RUNS_KEPT || (committed_at ?? 0) < since)
  return runs[at]?.id ?? 0
}
