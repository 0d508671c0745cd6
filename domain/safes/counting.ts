import { setImmediate as otherRequests, setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import { Part } from '../part.js'
import type { SafesShared } from './dependencies.js'
import type { SafeCounts } from './safe.js'
import type { Counted } from './stores/safe-row.js'

/** A Safe as its row describes it. */
type Countable = Counted & { id: string; version: number }

/** Maximum time a list waits for counts. 0: it shows none, and nothing is counted. */
export interface Patience {
  patienceMs?: number | undefined
}

/** For a page that somebody is looking at. */
const PATIENCE_MS = 500
/** Safes counted at the same time: the indexes of some must be opened. */
const AT_ONCE = 4

/**
 * Counts the things, relations and passages of a Safe's index as a member sees them, and its documents (ADR 41). The result
 * is stored for its version, so each version is counted once.
 */
export class Counting extends Part<
  Pick<SafesShared, 'documents' | 'indexes' | 'safes' | 'work' | 'onError'>
> {
  readonly #limit = pLimit(AT_ONCE)
  /** Safe and version → the count in progress. */
  readonly #counting = new Map<string, Promise<SafeCounts | null>>()

  /** The Safes with their counts. If counting takes longer than a list can wait, the counts are those of the previous version. */
  async of<Kind extends Countable>(
    safes: readonly Kind[],
    { patienceMs = PATIENCE_MS }: Patience = {},
  ): Promise<Omit<Kind, 'isCounted'>[]> {
    const stale = safes.filter(({ isCounted }) => !isCounted)
    const counted = new Map<string, SafeCounts | null>()
    if (stale.length > 0 && patienceMs > 0) {
      const all = stale.map(async safe => counted.set(safe.id, await this.#count(safe)))
      await Promise.race([Promise.all(all), sleep(patienceMs, undefined, { ref: false })])
    }
    return safes.map(({ isCounted: _, ...safe }) => ({
      ...safe,
      counts: counted.get(safe.id) ?? safe.counts,
    }))
  }

  #count({ id, version }: Countable): Promise<SafeCounts | null> {
    const name = `${id} ${version}`
    const known = this.#counting.get(name)
    if (known) return known
    const { work, onError } = this.dependencies
    const counting = work
      .during(this.#limit(() => otherRequests().then(() => this.#read(id, version))))
      .catch(error => {
        if (!work.signal.aborted) onError(error)
        return null
      })
      .finally(() => this.#counting.delete(name))
    this.#counting.set(name, counting)
    return counting
  }

  /** Null if it could not be counted. */
  async #read(safeId: string, version: number): Promise<SafeCounts | null> {
    const { documents, indexes, safes, work } = this.dependencies
    if (work.signal.aborted) return null
    const content = await indexes.get(safeId, version)
    const { found } = await content.browse({ kind: 'counts' })
    const counts = { ...found, documents: await documents.count(safeId) }
    await safes.setCounts(safeId, content.committed.version, counts)
    return counts
  }
}
