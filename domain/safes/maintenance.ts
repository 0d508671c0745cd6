import { prepareQuestions } from '../../engine/graph/index.js'
import { Part } from '../part.js'
import type { SafesShared } from './dependencies.js'
import { sweep } from './imports/dropping.js'
import { mergeOldImports } from './imports/merging.js'
import type { Removal } from './removal.js'
import type { SyncedFolders } from './sync/synced-folders.js'

type MaintenanceDependencies = Pick<
  SafesShared,
  'imports' | 'merges' | 'contents' | 'indexes' | 'work' | 'clock'
> & {
  removal: Removal
  folders: SyncedFolders
}

/** The background work of a serving process. */
export class Maintenance extends Part<MaintenanceDependencies> {
  /** Once after the start: work that would otherwise delay every request until the first question is answered. */
  prepareQuestions = prepareQuestions

  /**
   * Drops imports abandoned by dead processes or undecided owners, and merges the imports of Safes that have
   * very many.
   */
  sweep(): void {
    const { removal, folders, indexes, work, clock } = this.dependencies
    this.sweepAbandoned()
    work.start(async () => {
      await removal.purgeExpired()
      await mergeOldImports(this.dependencies, work.signal)
      await folders.dropVersions()
    })
    work.start(() => indexes.sweep(clock()))
  }

  /** Drops imports abandoned by dead processes or undecided owners. */
  sweepAbandoned(): void {
    const { work } = this.dependencies
    work.start(() => sweep(this.dependencies, work.signal))
  }
}
