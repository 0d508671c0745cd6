import { rowsOf } from '../safe.js'
import type { CommittedImports } from '../stores/types.js'
import type { SharedSnapshots } from './shared-snapshots.js'
import type { SharedIndex } from './snapshot-header.js'

/**
 * Sharing one index with other processes, if there can be any. It only saves time: whatever fails there, this process
 * builds the index.
 */
export class Sharing {
  readonly #snapshots: SharedSnapshots | null
  readonly #safeId: string
  readonly #committed: CommittedImports
  #problem: string | undefined

  constructor(snapshots: SharedSnapshots | null, safeId: string, committed: CommittedImports) {
    this.#snapshots = snapshots
    this.#safeId = safeId
    this.#committed = committed
  }

  /** The first failure. */
  get problem(): { notShared?: string } {
    return this.#problem === undefined ? {} : { notShared: this.#problem }
  }

  /** The index, if another process has built it. */
  load(): Promise<SharedIndex | null> {
    return this.#try(snapshots => snapshots.load(this.#safeId, this.#committed.contentHash), null)
  }

  /** The latest index of this Safe, which may be an earlier one. */
  loadEarlier(): Promise<SharedIndex | null> {
    return this.#try(snapshots => snapshots.loadLatest(this.#safeId), null)
  }

  /** Whether to build the index: no other process is doing so. */
  begin(): Promise<boolean> {
    const { contentHash, counts } = this.#committed
    return this.#try(snapshots => snapshots.begin(this.#safeId, contentHash, rowsOf(counts)), true)
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
    const { contentHash } = this.#committed
    await this.#try(snapshots => snapshots.save(this.#safeId, contentHash, index), undefined)
    if (this.#problem !== undefined) await this.giveUp()
  }

  /** Lets another process build the index. */
  async giveUp(): Promise<void> {
    await this.#snapshots?.forget(this.#safeId, this.#committed.contentHash).catch(() => {})
  }

  /** After a failure nothing else is tried. */
  async #try<T>(work: (snapshots: SharedSnapshots) => Promise<T>, otherwise: T): Promise<T> {
    if (!this.#snapshots || this.#problem !== undefined) return otherwise
    try {
      return await work(this.#snapshots)
    } catch (error) {
      this.#problem = (error as Error).message
      return otherwise
    }
  }
}
