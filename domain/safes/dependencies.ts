import type { Clock } from '../../platform/common/clock.js'
import type { Activity } from '../activity/activity.js'
import type { HotRows } from './ask/hot-rows.js'
import type { BackgroundWork } from './background-work.js'
import type { FileReaders } from './imports/file-readers.js'
import type { Indexes } from './index/indexes.js'
import type { SafeStores } from './stores/safe-stores.js'

/** The dependencies of Safes. */
export interface SafeDependencies extends SafeStores {
  indexes: Indexes
  /** Reads files. Default: child processes, which end with it. */
  readers?: FileReaders | undefined
  activity: Pick<Activity, 'record' | 'forget'>
  clock: Clock
  /** The base address of pages: BASE_URL. */
  baseUrl: string
  /** The folder for archives while they are read. */
  spoolFolder: string
  /** Receives errors of background work. */
  onError: (error: unknown) => void
}

/** What the parts of `Safes` share. */
export interface SafesShared extends SafeDependencies {
  rows: HotRows
  readers: FileReaders
  work: BackgroundWork
}
