import { setTimeout as pause } from 'node:timers/promises'
import { Part } from '../../part.js'
import { importEntry } from '../activity-entries.js'
import type { SafesShared } from '../dependencies.js'
import { safeErrors } from '../errors.js'
import { NOTES_FOLDER, NOWHERE } from '../folder-location.js'
import { PAUSE_MS, RESTORABLE_MS } from '../imports/dropping.js'
import { measuredRead } from '../imports/measured-read.js'
import { requireOwner, requireReader } from '../membership.js'
import type { SyncedFolder } from '../safe.js'
import type { RunResult, SyncOptions } from './folder-run.js'
import { LastFolder } from './known-files.js'
import type { FoundFile } from './plan.js'
import { filesToSync, syncFolder } from './sync.js'

type SyncedFoldersDependencies = Pick<
  SafesShared,
  | 'safes'
  | 'imports'
  | 'sync'
  | 'syncedFolders'
  | 'indexes'
  | 'readers'
  | 'work'
  | 'activity'
  | 'clock'
  | 'onError'
>

/** Folders synced into Safes (ADR 52). */
export class SyncedFolders extends Part<SyncedFoldersDependencies> {
  readonly #lastFolder = new LastFolder()

  /**
   * Makes the Safe contain the files of a folder, in one visible step. Unreadable files keep their earlier content,
   * and are reported.
   * @throws DomainError 409 when another run holds the folder, or something must be confirmed; 403 for readers
   */
  async sync(accountId: string, safeId: string, options: SyncOptions): Promise<RunResult> {
    if (options.name === NOTES_FOLDER) throw safeErrors.ownFolder(options.name)
    return this.#sync(accountId, safeId, options)
  }

  /** The same for the notes written here. */
  syncOwn(accountId: string, safeId: string, walk: SyncOptions['walk'], by?: string): Promise<RunResult> {
    const own = { name: NOTES_FOLDER, folder: NOWHERE, walk, confirmed: true }
    return this.#sync(accountId, safeId, by === undefined ? own : { ...own, by })
  }

  async #sync(accountId: string, safeId: string, options: SyncOptions): Promise<RunResult> {
    const dependencies = { ...this.dependencies, lastFolder: this.#lastFolder }
    const { safes, activity, work } = dependencies
    await requireOwner(safes, accountId, safeId)
    const done = await measuredRead(
      'folder',
      () => work.during(syncFolder(dependencies, accountId, safeId, options, work.signal)),
      ({ item }) => (item ? 'committed' : 'unchanged'),
    )
    if (done.item) activity.record(importEntry('imported', accountId, done.item, options.connectionId))
    work.start(() => this.dropVersions(safeId))
    return done
  }

  /** The files that `sync` would have to read. @throws DomainError 409 when something must be confirmed */
  async filesToSync(
    accountId: string,
    safeId: string,
    options: Pick<SyncOptions, 'name' | 'folder' | 'confirmed'>,
    files: readonly FoundFile[],
  ): Promise<FoundFile[]> {
    if (options.name === NOTES_FOLDER) throw safeErrors.ownFolder(options.name)
    await requireOwner(this.dependencies.safes, accountId, safeId)
    return filesToSync(this.dependencies, safeId, options, files)
  }

  /** The folders of a Safe, by name, without the one of its own notes; at most 50. */
  async list(accountId: string, safeId: string): Promise<SyncedFolder[]> {
    const { safes, syncedFolders, clock } = this.dependencies
    await requireReader(safes, accountId, safeId)
    return (await syncedFolders.list(safeId, clock())).filter(({ name }) => name !== NOTES_FOLDER)
  }

  /** Drops versions of files that can no longer become visible, in one Safe or in all. */
  async dropVersions(onlySafe?: string): Promise<void> {
    const { syncedFolders, clock, work } = this.dependencies
    const since = clock() - RESTORABLE_MS
    for await (const { safeId, folder } of syncedFolders.all(onlySafe))
      while (!work.signal.aborted && (await syncedFolders.dropSome(safeId, folder, since)))
        await pause(PAUSE_MS)
  }
}
