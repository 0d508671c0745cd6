/** After this time a turn no longer keeps another account from reading. */
const SLICE_MS = 2_000
/** Turns at a time, of which all but one have taken longer than their slice, if there is memory for another. */
const MOST_TURNS = 2
/** After this time, half of what an account has read is forgotten. */
const HALF_LIFE_MS = 60_000
/** Less is forgotten at once. */
const NOTHING_MS = 1

interface Turn {
  accountId: string
  began: number
}

interface Waiting {
  accountId: string
  begin(): void
}

/**
 * Who reads next: a turn is one piece of a file, and the account that has read the least lately goes first. One reader
 * works at a time; what it has read is written while the next one works. A turn that takes long lets another account in.
 */
export class ReadingTurns {
  readonly #now: () => number
  readonly #hasRoom: () => boolean
  readonly #running = new Set<Turn>()
  readonly #waiting = new Set<Waiting>()
  readonly #used = new Map<string, { ms: number; at: number }>()
  #timer: NodeJS.Timeout | undefined

  /** `hasRoom`: whether another reader may work beside one that takes long. `now`: milliseconds. */
  constructor(hasRoom = () => true, now = () => performance.now()) {
    this.#hasRoom = hasRoom
    this.#now = now
  }

  /** Waits for a turn of this account. Returns a function that ends it and tells how long it took. */
  async take(accountId: string, signal: AbortSignal): Promise<() => number> {
    signal.throwIfAborted()
    await this.#begin(accountId, signal)
    const turn = { accountId, began: this.#now() }
    this.#running.add(turn)
    return () => {
      const ms = this.#now() - turn.began
      if (this.#running.delete(turn)) this.#count(accountId, ms)
      this.#next()
      return ms
    }
  }

  /** Milliseconds that the account has read, of which it forgets half each minute. */
  usedBy(accountId: string): number {
    const used = this.#used.get(accountId)
    return used ? used.ms * 0.5 ** ((this.#now() - used.at) / HALF_LIFE_MS) : 0
  }

  /** Lets in whoever may go on now; called by itself when a turn ends or has taken long. */
  #next(): void {
    clearTimeout(this.#timer)
    if (this.#waiting.size === 0) return
    if (this.#isFree()) {
      const [first] = [...this.#waiting].sort((a, b) => this.usedBy(a.accountId) - this.usedBy(b.accountId))
      if (!first) return
      this.#waiting.delete(first)
      first.begin()
      return
    }
    this.#timer = setTimeout(() => this.#next(), SLICE_MS / 4).unref()
  }

  #isFree(): boolean {
    const turns = [...this.#running]
    if (turns.length >= MOST_TURNS || turns.some(({ began }) => this.#now() - began < SLICE_MS)) return false
    return turns.length === 0 || this.#hasRoom()
  }

  #begin(accountId: string, signal: AbortSignal): Promise<void> {
    if (this.#waiting.size === 0 && this.#isFree()) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.#waiting.delete(waiting)
        reject(signal.reason)
      }
      const waiting = {
        accountId,
        begin: () => {
          signal.removeEventListener('abort', stop)
          resolve()
        },
      }
      signal.addEventListener('abort', stop, { once: true })
      this.#waiting.add(waiting)
      this.#next()
    })
  }

  #count(accountId: string, ms: number): void {
    this.#used.set(accountId, { ms: this.usedBy(accountId) + ms, at: this.#now() })
    for (const account of this.#used.keys()) if (this.usedBy(account) < NOTHING_MS) this.#used.delete(account)
  }
}
