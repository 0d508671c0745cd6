import type { DuplicatesQuery } from '../../../engine/graph/index.js'
import { notFound } from '../../../platform/common/domain-error.js'
import { inSlices } from '../../../platform/storage/slices.js'
import { Part } from '../../part.js'
import { rowsOf } from '../safe.js'
import { MAX_SHARE } from './changes-since.js'
import type { SafeContent } from './content.js'
import { type BuilderDependencies, IndexBuilder } from './index-builder.js'
import { IndexCache, type IndexStatistics } from './index-cache.js'
import type { Snapshots } from './snapshot.js'

/** Maximum rows: a larger index takes more memory than its process may use. */
const MAX_ROWS = 4_000_000

interface IndexesDependencies extends BuilderDependencies {
  snapshots: Snapshots
  /** Deletes some snapshots of all processes that are no longer needed; returns whether there may be more. */
  sweepShared?: (() => Promise<boolean>) | undefined
  /** Maximum rows of a Safe's index. */
  maxRows?: number
}

/** Delay after the last change of a Safe before its index is rebuilt from all rows. */
const QUIET_MS = 600_000

/** Finds the contents of Safes: in memory, in a snapshot, or in the database, in this order. */
export class Indexes extends Part<IndexesDependencies> {
  readonly #cache: IndexCache
  readonly #builder: IndexBuilder
  /** Safes whose index will be built from all rows. */
  readonly #merging = new Map<string, NodeJS.Timeout>()

  constructor(dependencies: IndexesDependencies) {
    super(dependencies)
    const inMemory = (safeId: string) => this.#cache.peek(safeId)
    const onChanged = (safeId: string) => this.#mergeLater(safeId)
    const builder = new IndexBuilder({ ...dependencies, inMemory, onChanged })
    this.#builder = builder
    this.#cache = new IndexCache((safeId, by) => builder.open(safeId, by), dependencies.maxBytes)
  }

  /** Maximum things, facts and passages of an index. */
  get maxRows(): number {
    return this.dependencies.maxRows ?? MAX_ROWS
  }

  get statistics(): IndexStatistics {
    return this.#cache.statistics
  }

  /**
   * The content of the Safe at `version`. An older one answers while a newer one is being read, unless the rows it names
   * have been merged and dropped. `accountId`: whose turn it takes to open a large one. @throws notFound, Unavailable
   */
  async get(safeId: string, version: number, accountId?: string): Promise<SafeContent> {
    const content = await this.#cache.get(safeId, version, accountId)
    if (content.committed.version >= version) return content
    const now = await this.dependencies.contents.committedImports(safeId)
    if (!now) throw notFound('Safe')
    return content.committed.version < now.readableFrom ? this.newest(safeId, version, accountId) : content
  }

  /** Like `get`, but never an older one. */
  newest(safeId: string, version: number, accountId?: string): Promise<SafeContent> {
    return this.#cache.newest(safeId, version, accountId)
  }

  /** The content of the Safe at `version`, or null if this thread does not have it. Does not count as a use of it. */
  inMemory(safeId: string, version: number): SafeContent | null {
    const content = this.#cache.peek(safeId)
    const isHere = content !== null && content.bytes > 0
    return isHere && content.committed.version >= version ? content : null
  }

  /**
   * Reads the Safe with an import of so many rows that is about to be committed, so that the first question afterwards
   * does not wait. Returns a function to call after the commit.
   */
  async prepare(
    safeId: string,
    { id: importId, rows }: { id: number; rows: number },
    accountId?: string,
  ): Promise<() => Promise<void>> {
    const { contents } = this.dependencies
    if (await this.#isSmallChange(safeId, rows)) return async () => {}
    const content = await this.#builder.open(safeId, accountId, { pendingImport: importId })
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

  /** Bytes of the Safe's index file; 0: none. */
  fileBytes(safeId: string): Promise<number> {
    return this.dependencies.snapshots.bytesOf(safeId)
  }

  /** Discards a removed Safe. */
  async remove(safeId: string): Promise<void> {
    this.#cache.drop(safeId)
    await this.dependencies.snapshots.remove(safeId)
  }

  /** Deletes snapshots that are no longer needed. */
  async sweep(now: number): Promise<void> {
    const { contents, snapshots, sweepShared } = this.dependencies
    await snapshots.sweep(now, async safeId => (await contents.committedImports(safeId)) !== null)
    if (sweepShared) await inSlices(sweepShared)
  }

  close(): Promise<void> {
    for (const timer of this.#merging.values()) clearTimeout(timer)
    return this.#builder.close()
  }

  /**
   * Whether nobody needs the index before the next question, which adds the few rows to an earlier one: nobody has asked
   * since the last change.
   */
  async #isSmallChange(safeId: string, rows: number): Promise<boolean> {
    const { contents, snapshots } = this.dependencies
    if (this.#cache.isAsked(safeId) || (await snapshots.bytesOf(safeId)) === 0) return false
    const now = await contents.committedImports(safeId)
    return now !== null && rows <= MAX_SHARE * rowsOf(now.counts)
  }

  /** Rebuilds an index from all rows after a while without changes: with added changes, it is an approximation (ADR 17). */
  #mergeLater(safeId: string): void {
    clearTimeout(this.#merging.get(safeId))
    const merge = async () => {
      this.#merging.delete(safeId)
      if (!this.#cache.peek(safeId)) return
      const content = await this.#builder.open(safeId, undefined, { isComplete: true }).catch(() => null)
      if (content) this.#cache.keep(safeId, content)
    }
    this.#merging.set(safeId, setTimeout(() => void merge(), QUIET_MS).unref())
  }
}
