interface Waiting {
  accountId: string
  begin: () => void
}

/** Whose files are read: one of an account at a time, and of as many accounts as `most`, first come first served. */
export class ImportTurns {
  readonly #most: number
  readonly #active = new Set<string>()
  #waiting: Waiting[] = []

  constructor(most: number) {
    this.#most = most
  }

  /** Runs the work when it is the account's turn; aborted while it waits, at once, so that it can end. */
  async run<T>(accountId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (!this.#mayBegin(accountId)) await this.#wait(accountId, signal)
    if (signal.aborted) return work()
    this.#active.add(accountId)
    try {
      return await work()
    } finally {
      this.#active.delete(accountId)
      this.#next()
    }
  }

  #mayBegin(accountId: string): boolean {
    return this.#active.size < this.#most && !this.#active.has(accountId)
  }

  #wait(accountId: string, signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const begin = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const waiting = { accountId, begin }
      const leave = () => {
        this.#waiting = this.#waiting.filter(other => other !== waiting)
        resolve()
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.push(waiting)
    })
  }

  #next(): void {
    const next = this.#waiting.find(({ accountId }) => this.#mayBegin(accountId))
    if (!next) return
    this.#waiting = this.#waiting.filter(other => other !== next)
    // Taken for it now, before anybody else comes.
    this.#active.add(next.accountId)
    next.begin()
  }
}
