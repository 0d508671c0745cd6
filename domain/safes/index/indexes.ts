import { buildIndex, type DuplicatesQuery, Workspace } from '../../../engine/graph/index.js'
import { notFound } from '../../../platform/common/domain-error.js'
import { type IndexOpened, indexesOpened } from '../../../platform/common/events.js'
import { inSlices } from '../../../platform/storage/slices.js'
import type { ContentStore } from '../stores/content.sql.js'
import type { CommittedImports } from '../stores/types.js'
import { type Content, contentOf } from './content.js'
import type { BuiltIndex } from './index-build.js'
import { IndexCache, type IndexStatistics } from './index-cache.js'
import type { IndexThread } from './index-thread.js'
import { NotSmall, smallSource } from './small-source.js'
import { type Snapshots, shared } from './snapshot.js'

/** Building an index of more takes more memory than its process may use. */
const MAX_ROWS = 4_000_000

/** Rows up to which an index is built in this thread, a few milliseconds at a time: faster than handing it over. */
const SMALL = 5_000

interface Dependencies {
  contents: ContentStore
  snapshots: Snapshots
  thread: IndexThread
  /** Deletes some snapshots of all processes that are no longer needed; returns whether there may be more. */
  sweepShared?: (() => Promise<boolean>) | undefined
  /** Memory for the indexes of all Safes together. */
  maxBytes: number
  /** Rows of a Safe of which an index can be built. */
  maxRows?: number
  /** Receives errors that do not fail a question. */
  onError?: (error: unknown) => void
  /** Called with each index that the thread has opened. */
  onOpened?: (opened: { safeId: string; from: BuiltIndex['from']; bytes: number; ms: number }) => void
}

/** Indexes in memory, and of how many Safes. */
interface IndexMemory {
  bytes: number
  safes: number
}

/** Delays before saving an index is retried: while the thread still has it, then less and less often. */
const SAVE_AGAIN_MS = 20_000
const SAVE_LATEST_MS = 3_600_000

/** Finds the contents of Safes: in memory, in a snapshot, or in the database, in this order. */
export class Indexes {
  readonly #dependencies: Dependencies
  readonly #cache: IndexCache
  readonly #workspace = new Workspace()
  /** Safes whose index is waiting to be saved. */
  readonly #saving = new Map<string, NodeJS.Timeout>()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    this.#cache = new IndexCache((safeId, accountId) => this.#open(safeId, accountId), dependencies.maxBytes)
  }

  /** Things, facts and passages of which an index can be built. */
  get maxRows(): number {
    return this.#dependencies.maxRows ?? MAX_ROWS
  }

  get statistics(): IndexStatistics {
    return this.#cache.statistics
  }

  /**
   * The content of the Safe at `version`, or an older one while that is still being read. `accountId`: who waits for it.
   * @throws notFound, Unavailable
   */
  get(safeId: string, version: number, accountId?: string): Promise<Content> {
    return this.#cache.get(safeId, version, accountId)
  }

  /** Like `get`, but never an older one. */
  newest(safeId: string, version: number, accountId?: string): Promise<Content> {
    return this.#cache.newest(safeId, version, accountId)
  }

  /** The content of the Safe at `version`, or null when this thread does not have it. Does not count as a use of it. */
  inMemory(safeId: string, version: number): Content | null {
    const content = this.#cache.peek(safeId)
    const isHere = content !== null && content.bytes > 0
    return isHere && content.committed.version >= version ? content : null
  }

  /**
   * Reads the Safe with an import that is about to be committed, so that the first question afterwards does
   * not wait. Returns a function to call after the commit.
   */
  async prepare(safeId: string, importId: number, accountId?: string): Promise<() => Promise<void>> {
    const { contents } = this.#dependencies
    const content = await this.#open(safeId, accountId, importId)
    return async () => {
      const committed = await contents.committedImports(safeId)
      if (committed?.contentHash === content.committed.contentHash)
        this.#cache.keep(safeId, { ...content, committed })
    }
  }

  /** The likeliest duplicates. Always in the thread, because this may take seconds. @throws notFound, Unavailable */
  duplicates(safeId: string, query: DuplicatesQuery, accountId?: string) {
    return this.#dependencies.thread.duplicates(safeId, query, accountId)
  }

  /** Keeps ready what the next index of a large Safe is built from: for a while, so that this must be repeated. */
  async prepareBuild(safeId: string): Promise<void> {
    const { contents, thread } = this.#dependencies
    const committed = await contents.committedImports(safeId)
    if (committed && sizeOf(committed) > SMALL) await thread.prepare(safeId)
  }

  /** What the indexes of this process occupy. */
  get memory(): IndexMemory {
    return { bytes: this.#cache.bytes, safes: this.#cache.count }
  }

  /** Bytes of the Safe's index file; 0: none. */
  fileBytes(safeId: string): Promise<number> {
    return this.#dependencies.snapshots.bytesOf(safeId)
  }

  /** Discards a removed Safe. */
  async remove(safeId: string): Promise<void> {
    this.#cache.drop(safeId)
    await this.#dependencies.snapshots.remove(safeId)
  }

  /** Deletes snapshots that are no longer needed. */
  async sweep(now: number): Promise<void> {
    const { contents, snapshots, sweepShared } = this.#dependencies
    await snapshots.sweep(now, async safeId => (await contents.committedImports(safeId)) !== null)
    if (sweepShared) await inSlices(sweepShared)
  }

  close(): Promise<void> {
    for (const timer of this.#saving.values()) clearTimeout(timer)
    return this.#dependencies.thread.close()
  }

  /** Disk full: the index is served from memory, and the thread retries writing it. */
  #saveLater(safeId: string, why: string, afterMs = SAVE_AGAIN_MS): void {
    if (this.#saving.has(safeId)) return
    this.#dependencies.onError?.(new Error(`The index of Safe ${safeId} is served from memory: ${why}`))
    const again = async () => {
      this.#saving.delete(safeId)
      const opened = await this.#dependencies.thread.open(safeId).catch(() => null)
      if (opened?.notSaved) this.#saveLater(safeId, opened.notSaved, Math.min(2 * afterMs, SAVE_LATEST_MS))
    }
    this.#saving.set(safeId, setTimeout(() => void again(), afterMs).unref())
  }

  async #open(safeId: string, accountId?: string, pendingImport?: number): Promise<Content> {
    const began = performance.now()
    let how: IndexOpened['how'] = 'failed'
    try {
      const opened = await this.#read(safeId, accountId, pendingImport)
      how = opened.isLoaded ? 'loaded' : 'built'
      return opened.content
    } finally {
      indexesOpened.publish({ how, ms: performance.now() - began })
    }
  }

  /** The content of a Safe, and whether it was loaded from a snapshot. */
  async #read(
    safeId: string,
    accountId?: string,
    pendingImport?: number,
  ): Promise<{ content: Content; isLoaded: boolean }> {
    const { contents, thread, maxBytes, onError, onOpened } = this.#dependencies
    const committed = await contents.committedImports(safeId, pendingImport)
    if (!committed) throw notFound('Safe')
    const small = sizeOf(committed) <= SMALL ? await this.#openHere(safeId, committed) : null
    if (small) return { content: small, isLoaded: false }
    const started = performance.now()
    const built = await thread.open(safeId, accountId, pendingImport)
    const { committed: opened, index, from, notSaved, notShared } = built
    onOpened?.({ safeId, from, bytes: index.bytes.byteLength, ms: Math.round(performance.now() - started) })
    const isLoaded = from !== 'rows'
    if (notSaved !== undefined) this.#saveLater(safeId, notSaved)
    if (notShared !== undefined)
      onError?.(new Error(`The index of Safe ${safeId} is not shared: ${notShared}`))
    if (index.bytes.byteLength <= maxBytes)
      return { content: contentOf(opened, index, this.#workspace), isLoaded }
    // Larger than the whole cache: the thread reads it from its snapshot for each question.
    const content: Content = {
      committed: opened,
      bytes: 0,
      rank: (question, by) => thread.rank(safeId, question, by),
      browse: (asked, by) => thread.browse(safeId, asked, by),
    }
    return { content, isLoaded }
  }

  /**
   * Null when there is more to read than the counts show, such as aliases and long texts. An undo in the
   * meantime removes rows but creates a new version, so that the next question reads the Safe again.
   */
  async #openHere(safeId: string, committed: CommittedImports): Promise<Content | null> {
    try {
      const index = await buildIndex(
        smallSource(this.#dependencies.contents.source(safeId, committed.ranges)),
      )
      return contentOf(committed, shared(index), this.#workspace)
    } catch (error) {
      if (error instanceof NotSmall) return null
      throw error
    }
  }
}

/** The rows that the imports of a Safe hold. */
export const sizeOf = ({ counts }: CommittedImports) => counts.entities + counts.relations + counts.passages
