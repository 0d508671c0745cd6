/** Limits concurrent work per account. */
export class ConcurrencyLimit {
  readonly #limit: number
  readonly #error: () => Error
  readonly #running = new Map<string, number>()

  /** `error` creates what is thrown beyond the limit. */
  constructor(limit: number, error: () => Error) {
    this.#limit = limit
    this.#error = error
  }

  async run<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const leave = this.enter(accountId)
    try {
      return await work()
    } finally {
      leave()
    }
  }

  /** Counts work until the returned function is called. */
  enter(accountId: string): () => void {
    const running = this.#running.get(accountId) ?? 0
    if (running >= this.#limit) throw this.#error()
    this.#running.set(accountId, running + 1)
    return () => {
      const left = (this.#running.get(accountId) ?? 1) - 1
      if (left === 0) this.#running.delete(accountId)
      else this.#running.set(accountId, left)
    }
  }
}
