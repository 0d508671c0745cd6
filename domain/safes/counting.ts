import { setImmediate as otherRequests, setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import { Part } from '../part.js'
import type { Shared } from './dependencies.js'
import type { SafeCounts } from './safe.js'
import type { Counted } from './stores/safe-row.js'

/** A Safe as its row says. */
type Countable = Counted & { id: string; version: number }

/** How long a list waits for counts. 0: it shows none, and nothing is counted. */
export interface Patience {
  patienceMs?: number | undefined
}

/** Of a page, which somebody looks at. */
const PATIENCE_MS = 500
/** Safes that are counted at once: the indexes of some must be opened. */
const AT_ONCE = 4

/**
 * Counts what a member finds in a Safe: the things, relations and passages of its index, and its documents (ADR 41). It is
 * written down for the version that it is of, so that each is counted once.
 */
export class Counting extends Part<Pick<Shared, 'documents' | 'indexes' | 'safes' | 'work' | 'onError'>> {
  readonly #limit = pLimit(AT_ONCE)
  /** Safe and version → what is being counted. */
  readonly #counting = new Map<string, Promise<SafeCounts | null>>()

  /** The Safes with their counts. What takes longer than a list can wait keeps those of its version before. */
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
