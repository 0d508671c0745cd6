import type { DuplicatesQuery } from '../../../engine/graph/index.js'
import { notFound } from '../../../platform/common/domain-error.js'
import { inSlices } from '../../../platform/storage/slices.js'
import type { Content } from './content.js'
import { type BuilderDependencies, IndexBuilder } from './index-builder.js'
import { IndexCache, type IndexStatistics } from './index-cache.js'
import type { Snapshots } from './snapshot.js'

/** Building an index of more takes more memory than its process may use. */
const MAX_ROWS = 4_000_000

interface Dependencies extends BuilderDependencies {
  snapshots: Snapshots
  /** Deletes some snapshots of all processes that are no longer needed; returns whether there may be more. */
  sweepShared?: (() => Promise<boolean>) | undefined
  /** Rows of a Safe of which an index can be built. */
  maxRows?: number
}

/** Indexes in memory, and of how many Safes. */
interface IndexMemory {
  bytes: number
  safes: number
}

/** Finds the contents of Safes: in memory, in a snapshot, or in the database, in this order. */
export class Indexes {
  readonly #dependencies: Dependencies
  readonly #cache: IndexCache
  readonly #builder: IndexBuilder

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    const builder = new IndexBuilder(dependencies)
    this.#builder = builder
    this.#cache = new IndexCache((safeId, by) => builder.open(safeId, by), dependencies.maxBytes)
  }

  /** Things, facts and passages of which an index can be built. */
  get maxRows(): number {
    return this.#dependencies.maxRows ?? MAX_ROWS
  }

  get statistics(): IndexStatistics {
    return this.#cache.statistics
  }

  /**
   * The content of the Safe at `version`. An older one answers while a newer one is being read, unless the rows it names
   * have been merged and dropped. `accountId`: whose turn it takes to open a large one. @throws notFound, Unavailable
   */
  async get(safeId: string, version: number, accountId?: string): Promise<Content> {
    const content = await this.#cache.get(safeId, version, accountId)
    if (content.committed.version >= version) return content
    const now = await this.#dependencies.contents.committedImports(safeId)
    if (!now) throw notFound('Safe')
    return content.committed.version < now.readableFrom ? this.newest(safeId, version, accountId) : content
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
    const content = await this.#builder.open(safeId, accountId, importId)
    return async () => {
      const committed = await contents.committedImports(safeId)
      if (committed?.contentHash === content.committed.contentHash)
        this.#cache.keep(safeId, { ...content, committed })
    }
  }

  /** Like `IndexBuilder.duplicates`. */
  duplicates(safeId: string, query: DuplicatesQuery, accountId?: string) {
    return this.#builder.duplicates(safeId, query, accountId)
  }

  /** Like `IndexBuilder.prepare`. */
  prepareBuild(safeId: string): Promise<void> {
    return this.#builder.prepare(safeId)
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
    return this.#builder.close()
  }
}
