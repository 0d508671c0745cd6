import { buildIndex, type DuplicatesQuery, type SafeIndex, Workspace } from '../../../engine/graph/index.js'
import { notFound } from '../../../platform/common/domain-error.js'
import { type IndexOpened, indexesOpened } from '../../../platform/common/events.js'
import { Part } from '../../part.js'
import { rowsOf } from '../safe.js'
import type { ContentStore } from '../stores/content.sql.js'
import { rangesOf } from '../stores/ranges.js'
import type { CommittedImports } from '../stores/types.js'
import { withChanges } from './changes-since.js'
import { completeIndex } from './complete-index.js'
import { contentOf, indexOf, type SafeContent } from './content.js'
import type { BuiltIndex, OpenFrom } from './index-build.js'
import type { IndexThread } from './index-thread.js'
import { NotSmall, smallSource } from './small-source.js'
import { shared } from './snapshot.js'

/** Maximum rows of an index built in this thread, a few milliseconds at a time: faster than handing it over. */
const SMALL = 5_000

/** Delays before saving an index is retried: first while the thread still has it, then at growing intervals. */
const SAVE_AGAIN_MS = 20_000
const SAVE_LATEST_MS = 3_600_000

export interface BuilderDependencies {
  contents: ContentStore
  thread: IndexThread
  /** Maximum memory of the indexes of all Safes together. */
  maxBytes: number
  /** Receives errors that do not fail a question. */
  onError?: (error: unknown) => void
  /** The latest content of a Safe in memory, to which changes are added. */
  inMemory?: (safeId: string) => SafeContent | null
  /** Called with a Safe after rows were added to an earlier index. */
  onChanged?: (safeId: string) => void
  /** Called with each index that the thread has opened. */
  onOpened?: (opened: { safeId: string; from: BuiltIndex['from']; bytes: number; ms: number }) => void
}

/**
 * Decides who builds the index of a Safe. A few new rows are added to an earlier index (ADR 17). A small one is built in this thread. Any other comes from `IndexThread`: from its
 * file, or what another process has built, or from the rows, in a process of its own (`index-build.ts`).
 */
export class IndexBuilder extends Part<BuilderDependencies> {
  readonly #workspace = new Workspace()
  /** Safes whose index is waiting to be saved. */
  readonly #saving = new Map<string, NodeJS.Timeout>()

  /**
   * The content of a Safe, with an import that is about to be committed. With `isComplete`, all rows are read.
   * @throws notFound, Unavailable
   */
  async open(
    safeId: string,
    accountId?: string,
    from: Pick<OpenFrom, 'pendingImport' | 'isComplete'> = {},
  ): Promise<SafeContent> {
    const began = performance.now()
    let how: IndexOpened['how'] = 'failed'
    try {
      const opened = await this.#read(safeId, accountId, from)
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
    { pendingImport, isComplete = false }: OpenFrom = {},
  ): Promise<{ content: SafeContent; isLoaded: boolean }> {
    const { contents, thread, maxBytes, onError, onOpened, inMemory, onChanged } = this.dependencies
    const committed = await contents.committedImports(safeId, pendingImport)
    if (!committed) throw notFound('Safe')
    const earlier = inMemory?.(safeId)
    const before = isComplete ? undefined : earlier?.index
    const small =
      rowsOf(committed.counts) <= SMALL
        ? await this.#openHere(safeId, committed, { before, pendingImport })
        : null
    if (small) return { content: small, isLoaded: false }
    const started = performance.now()
    const how = { pendingImport, before, isComplete: isComplete || earlier?.bytes === 0 }
    const built = await thread.open(safeId, accountId, how)
    const { committed: opened, index, from, notSaved, notShared } = built
    onOpened?.({ safeId, from, bytes: index.bytes.byteLength, ms: Math.round(performance.now() - started) })
    const isLoaded = from !== 'rows'
    if (from === 'changes') onChanged?.(safeId)
    if (notSaved !== undefined) this.#saveLater(safeId, notSaved)
    if (notShared !== undefined)
      onError?.(new Error(`The index of Safe ${safeId} is not shared: ${notShared}`))
    if (index.bytes.byteLength <= maxBytes)
      return { content: contentOf(opened, index, this.#workspace), isLoaded }
    // Larger than the whole cache: the thread reads it from its snapshot for each question.
    const content: SafeContent = {
      committed: opened,
      bytes: 0,
      rank: (question, by) => thread.rank(safeId, question, by),
      browse: (asked, by) => thread.browse(safeId, asked, by),
    }
    return { content, isLoaded }
  }

  /**
   * Null if there is more to read than the counts show, such as aliases and long texts. An undo in the
   * meantime removes rows but creates a new version, so that the next question reads the Safe again.
   */
  async #openHere(
    safeId: string,
    committed: CommittedImports,
    { before, pendingImport }: OpenFrom,
  ): Promise<SafeContent | null> {
    const { contents, onChanged } = this.dependencies
    try {
      const earlier = before && indexOf(before, this.#workspace)
      const changed = earlier && (await withChanges(contents, safeId, earlier, pendingImport))
      if (changed) onChanged?.(safeId)
      const index = changed ?? (await this.#buildHere(safeId, pendingImport))
      return contentOf(committed, shared(index), this.#workspace)
    } catch (error) {
      if (error instanceof NotSmall) return null
      throw error
    }
  }

  async #buildHere(safeId: string, pendingImport?: number): Promise<SafeIndex> {
    const { contents } = this.dependencies
    return completeIndex(contents, safeId, pendingImport, ({ ids }) =>
      buildIndex(smallSource(contents.source(safeId, rangesOf(ids)))),
    )
  }

  /** The likeliest duplicates. Always in the thread, because this may take seconds. @throws notFound, Unavailable */
  duplicates(safeId: string, query: DuplicatesQuery, accountId?: string) {
    return this.dependencies.thread.duplicates(safeId, query, accountId)
  }

  close(): Promise<void> {
    for (const timer of this.#saving.values()) clearTimeout(timer)
    return this.dependencies.thread.close()
  }

  /** Disk full: the index is served from memory, and the thread retries writing it. */
  #saveLater(safeId: string, why: string, afterMs = SAVE_AGAIN_MS): void {
    if (this.#saving.has(safeId)) return
    this.dependencies.onError?.(new Error(`The index of Safe ${safeId} is served from memory: ${why}`))
    const again = async () => {
      this.#saving.delete(safeId)
      const { thread } = this.dependencies
      const opened = await thread.open(safeId, undefined, { isComplete: true }).catch(() => null)
      if (opened?.notSaved) this.#saveLater(safeId, opened.notSaved, Math.min(2 * afterMs, SAVE_LATEST_MS))
    }
    this.#saving.set(safeId, setTimeout(() => void again(), afterMs).unref())
  }
}
