import AsyncLock from 'async-lock'
import pLimit, { type LimitFunction } from 'p-limit'

/** Limits concurrent reading: one file per account and at most `most` accounts, first come, first served. */
export class ImportLimiter {
  readonly #accounts = new AsyncLock({ maxPending: Number.POSITIVE_INFINITY })
  readonly #places: LimitFunction

  constructor(most: number) {
    this.#places = pLimit(most)
  }

  /**
   * Runs the work when it is the account's turn. If aborted while waiting, runs it at once so that it can
   * end.
   */
  run<T>(accountId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (signal.aborted) return work()
    return new Promise((resolve, reject) => {
      let begun: Promise<T> | undefined
      // If it was aborted, its turn still comes, with nothing left to do.
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
