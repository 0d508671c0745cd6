import AsyncLock from 'async-lock'
import pLimit, { type LimitFunction } from 'p-limit'

/** Whose files are read: one of an account at a time, and of as many accounts as `most`, first come first served. */
export class ImportTurns {
  readonly #accounts = new AsyncLock({ maxPending: Number.POSITIVE_INFINITY })
  readonly #places: LimitFunction

  constructor(most: number) {
    this.#places = pLimit(most)
  }

  /** Runs the work when it is the account's turn; aborted while it waits, at once, so that it can end. */
  run<T>(accountId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (signal.aborted) return work()
    return new Promise((resolve, reject) => {
      let begun: Promise<T> | undefined
      // Where it was aborted, its turn comes too, and has nothing left to do.
      const begin = () => {
        begun ??= work()
        return begun
      }
      const stop = () => void begin().then(resolve, reject)
      signal.addEventListener('abort', stop, { once: true })
      this.#accounts
        .acquire(accountId, () => this.#places(begin))
        .finally(() => signal.removeEventListener('abort', stop))
        .then(resolve, reject)
    })
  }
}
