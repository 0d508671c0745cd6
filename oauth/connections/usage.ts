import type { Clock } from '../../common/clock.js'
import { inSlices } from '../../storage/slices.js'
import { CONNECTION_BATCH_SIZE, type ConnectionStore, type Use } from '../stores/types.js'

/**
 * Counts the calls of connections in memory, because a write per call would cost more than the call; what a page
 * shows is a few seconds old.
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
   * Writes what was counted since the last time: of many connections in one statement, and of very many in several
   * with pauses, so that no other writer waits for all of them. What cannot be written is counted again.
   */
  flush(): Promise<void> {
    // One after the other: the later one has the later times.
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
