import { setTimeout as pause } from 'node:timers/promises'

/** Pause between an answer and the next request of its kind. */
const PAUSE_MS = 20

/** Requests of several kinds, each one after the other, with the times of their answers. */
export class Probes {
  readonly #kinds: ReadonlyMap<string, () => Promise<void>>
  #times = new Map<string, number[]>()
  #stopped = false
  #running: Promise<unknown> = Promise.resolve()

  constructor(kinds: Record<string, () => Promise<void>>) {
    this.#kinds = new Map(Object.entries(kinds))
  }

  start(): void {
    this.#running = Promise.all([...this.#kinds].map(([kind, send]) => this.#repeat(kind, send)))
    this.#running.catch(() => {})
  }

  /** The milliseconds of all answers since the last call. */
  take(): Map<string, number[]> {
    const taken = this.#times
    this.#times = new Map()
    return taken
  }

  /** @throws errors of requests */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#running
  }

  async #repeat(kind: string, send: () => Promise<void>): Promise<void> {
    while (!this.#stopped) {
      const sent = performance.now()
      await send()
      const times = this.#times.get(kind) ?? []
      times.push(performance.now() - sent)
      this.#times.set(kind, times)
      await pause(PAUSE_MS)
    }
  }
}
