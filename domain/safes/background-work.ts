import { setMaxListeners } from 'node:events'

/** The imports and clean-ups in progress in this process. All of them stop with it. */
export class BackgroundWork {
  readonly #running = new Set<Promise<unknown>>()
  readonly #stop = new AbortController()
  readonly #onError: (error: unknown) => void

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
    // Each import being read or waiting for its turn listens; Node warns from the eleventh on.
    setMaxListeners(0, this.#stop.signal)
  }

  /** Aborted once the process stops. */
  get signal(): AbortSignal {
    return this.#stop.signal
  }

  /** Work that its caller waits for. `idle` also waits for it. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work)
    try {
      return await work
    } finally {
      this.#running.delete(work)
    }
  }

  /** Starts work that nobody waits for. Its errors go to `onError`. */
  start(work: () => Promise<unknown>): void {
    void this.during(work()).catch(this.#onError)
  }

  stop(): void {
    this.#stop.abort()
  }

  /** Resolves when nothing is in progress. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
  }
}
