/** Maximum time that work may block the thread before requests are read. Milliseconds. */
const SLICE_MS = 5

/**
 * Accounts take turns on this thread: a piece of work begins at once if little work was done since the event loop last read
 * requests. Otherwise it waits, and each waiting account runs one piece in turn.
 */
export class WorkTurns {
  readonly #now: () => number
  readonly #waiting = new Map<string, (() => void)[]>()
  #usedMs = 0
  #isLooking = false

  /** `now`: milliseconds. */
  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** Runs a piece of an account's work in its turn. `onWork` receives the milliseconds that it blocked the thread. */
  async run<T>(
    accountId: string,
    work: () => T,
    onWork?: (ms: number) => void,
    signal?: AbortSignal,
  ): Promise<Awaited<T>> {
    if (this.#usedMs >= SLICE_MS || this.#waiting.size > 0) await this.#turn(accountId)
    const began = this.#now()
    let result: T
    try {
      signal?.throwIfAborted()
      result = work()
    } finally {
      const ms = this.#now() - began
      onWork?.(ms)
      this.#used(ms)
    }
    return await result
  }

  #turn(accountId: string): Promise<void> {
    return new Promise(begin => {
      const own = this.#waiting.get(accountId)
      if (own) own.push(begin)
      else this.#waiting.set(accountId, [begin])
    })
  }

  #used(ms: number): void {
    this.#usedMs += ms
    if (this.#usedMs < SLICE_MS) this.#next()
    if (this.#isLooking) return
    this.#isLooking = true
    setImmediate(() => {
      this.#isLooking = false
      this.#usedMs = 0
      this.#next()
    })
  }

  /** Resumes the account that has waited longest since its last piece. */
  #next(): void {
    const [first] = this.#waiting
    if (!first) return
    const [accountId, own] = first
    const begin = own.shift()
    this.#waiting.delete(accountId)
    if (own.length > 0) this.#waiting.set(accountId, own)
    begin?.()
  }
}
