import AsyncLock from 'async-lock'

/** Reads the files of an account one after the other. */
export class ImportLimiter {
  readonly #accounts = new AsyncLock({ maxPending: Number.POSITIVE_INFINITY })

  /** Runs the work in the file's turn. If aborted while waiting, runs it at once so that it can end. */
  run<T>(accountId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (signal.aborted) return work()
    return new Promise((resolve, reject) => {
      let begun: Promise<T> | undefined
      // If it was aborted, its turn still comes, without work.
      const begin = () => {
        begun ??= work()
        return begun
      }
      const stop = () => void begin().then(resolve, reject)
      signal.addEventListener('abort', stop, { once: true })
      this.#accounts
        .acquire(accountId, begin)
        .finally(() => signal.removeEventListener('abort', stop))
        .then(resolve, reject)
    })
  }
}
