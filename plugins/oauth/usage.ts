import type { Clock } from '../clock.js'
import type { ConnectionStore } from './store.js'

/**
 * Counts the calls of connections in memory, because a write per call would cost more than the call; what a page
 * shows is a few seconds old.
 */
export class Usage {
  readonly #connections: Pick<ConnectionStore, 'recordUse'>
  readonly #clock: Clock
  #calls = new Map<string, { calls: number; at: number }>()

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

  /** Writes what was counted since the last time. What cannot be written is counted again. */
  async flush(): Promise<void> {
    const counted = this.#calls
    this.#calls = new Map()
    for (const [connectionId, { calls, at }] of counted) {
      try {
        await this.#connections.recordUse(connectionId, calls, at)
        counted.delete(connectionId)
      } catch (error) {
        for (const [id, use] of counted) this.#keep(id, use)
        throw error
      }
    }
  }

  #keep(connectionId: string, { calls, at }: { calls: number; at: number }): void {
    const newer = this.#calls.get(connectionId)
    this.#calls.set(connectionId, { calls: calls + (newer?.calls ?? 0), at: newer?.at ?? at })
  }
}
