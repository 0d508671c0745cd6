import AsyncLock from 'async-lock'
import { safeErrors } from '../errors.js'

/** Maximum files of an account that wait while one is read. */
const MAX_WAITING = 20

/** Reads the files of an account one after the other, and limits how many wait. */
export class ImportLimiter {
  readonly #accounts = new AsyncLock({ maxPending: Number.POSITIVE_INFINITY })
  readonly #files = new Map<string, number>()

  /** Counts a file until the returned function is called. @throws DomainError 429 */
  enter(accountId: string): () => void {
    const files = this.#files.get(accountId) ?? 0
    if (files > MAX_WAITING) throw safeErrors.tooManyWaiting(MAX_WAITING)
    this.#files.set(accountId, files + 1)
    return () => {
      const left = (this.#files.get(accountId) ?? 1) - 1
      if (left > 0) this.#files.set(accountId, left)
      else this.#files.delete(accountId)
    }
  }

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
