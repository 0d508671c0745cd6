/** After this time a turn no longer blocks another account. */
const SLICE_MS = 2_000
/** Maximum turns at a time; all but one have exceeded their slice, and there is memory for another. */
const MAX_TURNS = 2
/** Half-life of the time that an account has used. */
const HALF_LIFE_MS = 60_000
/** Times below this are forgotten. */
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
 * Decides which account works next in a child process, such as a reader of files: the one that has used the least time recently. One
 * works at a time. A turn that takes long admits another account, if there is room for a second worker.
 */
export class AccountTurns {
  readonly #now: () => number
  readonly #hasRoom: () => boolean
  readonly #running = new Set<Turn>()
  readonly #waiting = new Set<Waiting>()
  readonly #used = new Map<string, { ms: number; at: number }>()
  #timer: NodeJS.Timeout | undefined

  /** `hasRoom`: whether another may work next to one that takes long. `now`: milliseconds. */
  constructor(hasRoom = () => true, now = () => performance.now()) {
    this.#hasRoom = hasRoom
    this.#now = now
  }

  /** Waits for a turn of this account. Returns a function that ends it and returns its duration. */
  async take(accountId: string, signal: AbortSignal): Promise<() => number> {
    signal.throwIfAborted()
    const turn = await this.#begin(accountId, signal)
    return () => {
      const ms = this.#now() - turn.began
      if (this.#running.delete(turn)) this.#count(accountId, ms)
      this.#next()
      return ms
    }
  }

  /** The number of waiting turns of the account. */
  waitingOf = (accountId: string) => [...this.#waiting].filter(one => one.accountId === accountId).length

  /** Milliseconds that the account has used, halved each minute. */
  usedBy(accountId: string): number {
    const used = this.#used.get(accountId)
    return used ? used.ms * 0.5 ** ((this.#now() - used.at) / HALF_LIFE_MS) : 0
  }

  /** Admits the next accounts; called automatically when a turn ends or has taken long. */
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
    if (turns.length >= MAX_TURNS || turns.some(({ began }) => this.#now() - began < SLICE_MS)) return false
    return turns.length === 0 || this.#hasRoom()
  }

  #start(accountId: string): Turn {
    const turn = { accountId, began: this.#now() }
    this.#running.add(turn)
    return turn
  }

  #begin(accountId: string, signal: AbortSignal): Promise<Turn> {
    if (this.#waiting.size === 0 && this.#isFree()) return Promise.resolve(this.#start(accountId))
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.#waiting.delete(waiting)
        reject(signal.reason)
      }
      const waiting = {
        accountId,
        begin: () => {
          signal.removeEventListener('abort', stop)
          resolve(this.#start(accountId))
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
