import type { Clock } from '../../../platform/common/clock.js'
import { inSlices } from '../../../platform/storage/slices.js'
import type { ConnectionStore } from '../stores/connection.sql.js'
import { CONNECTION_BATCH_SIZE, type Use } from '../stores/types.js'

/**
 * Counts calls of connections in memory, because a write per call would cost more than the call. Pages show
 * counts that are a few seconds old.
 */
export class Usage {
  readonly #connections: Pick<ConnectionStore, 'recordUse'>
  readonly #clock: Clock
  #calls = new Map<string, { calls: number; at: number }>()
  #flushing: Promise<void> = Promise.resolve()

  constructor(connections: Pick<ConnectionStore, 'recordUse'>, clock: Clock) {
    this.#connections = connections
    this.#clock = clock
  }

  /** Counts one call. */
  touch(connectionId: string): void {
    const use = this.#calls.get(connectionId)
    if (!use) {
      this.#calls.set(connectionId, { calls: 1, at: this.#clock() })
      return
    }
    use.calls++
    use.at = this.#clock()
  }

  /**
   * Writes the counts since the last flush in batches, with pauses for other writers. Counts that cannot be
   * written are kept for the next flush.
   */
  flush(): Promise<void> {
    // Flushes run one after another, so that later times are written last.
    const flushed = this.#flushing.then(() => this.#flush())
    this.#flushing = flushed.catch(() => {})
    return flushed
  }

  async #flush(): Promise<void> {
    const counted = [...this.#calls].map(([connectionId, use]): Use => ({ connectionId, ...use }))
    if (counted.length === 0) return
    this.#calls = new Map()
    let at = 0
    try {
      await inSlices(async () => {
        await this.#connections.recordUse(counted.slice(at, at + CONNECTION_BATCH_SIZE))
        at += CONNECTION_BATCH_SIZE
        return at < counted.length
      })
    } catch (error) {
      for (const use of counted.slice(at)) this.#keep(use)
      throw error
    }
  }

  #keep({ connectionId, calls, at }: Use): void {
    const newer = this.#calls.get(connectionId)
    this.#calls.set(connectionId, { calls: calls + (newer?.calls ?? 0), at: newer?.at ?? at })
  }
}
