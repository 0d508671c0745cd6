/** After this time a turn no longer keeps another account from working. */
const SLICE_MS = 2_000
/** Turns at a time, of which all but one have taken longer than their slice, if there is memory for another. */
const MAX_TURNS = 2
/** After this time, half of the time that an account has used is forgotten. */
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
 * Who works next in a process of its own, such as a reader of files: the account that has used the least time lately. One
 * works at a time. A turn that takes long lets another account in, if there is room for a second worker.
 */
export class AccountTurns {
  readonly #now: () => number
  readonly #hasRoom: () => boolean
  readonly #running = new Set<Turn>()
  readonly #waiting = new Set<Waiting>()
  readonly #used = new Map<string, { ms: number; at: number }>()
  #timer: NodeJS.Timeout | undefined

  /** `hasRoom`: whether another may work beside one that takes long. `now`: milliseconds. */
  constructor(hasRoom = () => true, now = () => performance.now()) {
    this.#hasRoom = hasRoom
    this.#now = now
  }

  /** Waits for a turn of this account. Returns a function that ends it and tells how long it took. */
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

  /** How many turns of the account are waited for. */
  waitingOf = (accountId: string) => [...this.#waiting].filter(one => one.accountId === accountId).length

  /** Milliseconds that the account has used, of which half is forgotten each minute. */
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
