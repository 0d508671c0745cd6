import { Part } from '../../part.js'
import { rowsOf } from '../safe.js'
import type { CommittedImports } from '../stores/types.js'
import type { SharedSnapshots } from './shared-snapshots.js'
import type { SharedIndex } from './snapshot-header.js'

interface SnapshotSharing {
  /** Null if there is no other process. */
  snapshots: SharedSnapshots | null
  safeId: string
  committed: CommittedImports
}

/**
 * Sharing one index with other processes, if there can be any. It only saves time: if it fails, this process
 * builds the index.
 */
export class Sharing extends Part<SnapshotSharing> {
  #problem: string | undefined

  /** The first failure. */
  get problem(): { notShared?: string } {
    return this.#problem === undefined ? {} : { notShared: this.#problem }
  }

  /** The index, if another process has built it. */
  load(): Promise<SharedIndex | null> {
    return this.#try(
      snapshots => snapshots.load(this.dependencies.safeId, this.dependencies.committed.contentHash),
      null,
    )
  }

  /** The latest index of this Safe, which may be an earlier one. */
  loadEarlier(): Promise<SharedIndex | null> {
    return this.#try(snapshots => snapshots.loadLatest(this.dependencies.safeId), null)
  }

  /** Whether to build the index: no other process is doing so. */
  begin(): Promise<boolean> {
    const { contentHash, counts } = this.dependencies.committed
    return this.#try(
      snapshots => snapshots.begin(this.dependencies.safeId, contentHash, rowsOf(counts)),
      true,
    )
  }

  /** Lets another process build the index when this one fails to. */
  async during(building: Promise<SharedIndex>): Promise<SharedIndex> {
    try {
      return await building
    } catch (error) {
      await this.giveUp()
      throw error
    }
  }

  async save(index: SharedIndex): Promise<void> {
    const { contentHash } = this.dependencies.committed
    await this.#try(snapshots => snapshots.save(this.dependencies.safeId, contentHash, index), undefined)
    if (this.#problem !== undefined) await this.giveUp()
  }

  /** Lets another process build the index. */
  async giveUp(): Promise<void> {
    await this.dependencies.snapshots
      ?.forget(this.dependencies.safeId, this.dependencies.committed.contentHash)
      .catch(() => {})
  }

  /** After a failure nothing else is tried. */
  async #try<T>(work: (snapshots: SharedSnapshots) => Promise<T>, otherwise: T): Promise<T> {
    if (!this.dependencies.snapshots || this.#problem !== undefined) return otherwise
    try {
      return await work(this.dependencies.snapshots)
    } catch (error) {
      this.#problem = (error as Error).message
      return otherwise
    }
  }
}
