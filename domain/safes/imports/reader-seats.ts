import { EventEmitter, once } from 'node:events'
import { ImportRejected } from './import-source.js'

/** An account's open file; its reader is in memory, also while others have their turns. */
interface Seat {
  readonly accountId: string
  readonly began: number
  /** Aborted to end the reading. */
  readonly ending: AbortController
}

interface SeatOptions {
  most: number
  usedBy(accountId: string): number
  now?: () => number
}

/** How long a waiting account lets others finish, and their guaranteed reading time. */
const PATIENCE_MS = 5_000
const ALWAYS_MS = 60_000

/**
 * Limits the files open at a time: one per account. If all seats have been taken for long, the account
 * that has recently read the most gives up its seat.
 */
export class ReaderSeats {
  readonly #options: Required<SeatOptions>
  readonly #taken = new Set<Seat>()
  readonly #events = new EventEmitter().setMaxListeners(0)

  constructor({ now = () => performance.now(), ...options }: SeatOptions) {
    this.#options = { ...options, now }
  }

  /** Waits for a seat. Returns it with a function that releases it. */
  async take(accountId: string, signal: AbortSignal): Promise<Seat & { leave(): void }> {
    const since = this.#options.now()
    while (!this.#isFree(accountId)) {
      signal.throwIfAborted()
      if (this.#options.now() - since >= PATIENCE_MS) this.#makeRoom(accountId)
      await this.#changed(signal)
    }
    const seat = { accountId, began: this.#options.now(), ending: new AbortController() }
    this.#taken.add(seat)
    const leave = () => {
      this.#taken.delete(seat)
      this.#events.emit('left')
    }
    return { ...seat, leave }
  }

  #isFree(accountId: string): boolean {
    const taken = [...this.#taken]
    return taken.length < this.#options.most && !taken.some(seat => seat.accountId === accountId)
  }

  #makeRoom(accountId: string): void {
    const { most, usedBy, now } = this.#options
    const isMine = [...this.#taken].some(seat => seat.accountId === accountId)
    if (isMine || this.#taken.size < most) return
    const [worst] = [...this.#taken]
      .filter(seat => now() - seat.began >= ALWAYS_MS && usedBy(seat.accountId) > usedBy(accountId))
      .sort((a, b) => usedBy(b.accountId) - usedBy(a.accountId))
    worst?.ending.abort(new ImportRejected(ENDED))
  }

  /** Resolves when a seat becomes free, or after a moment. */
  async #changed(stop: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(PATIENCE_MS / 5)])
    await once(this.#events, 'left', { signal }).catch(() => {})
  }
}

const ENDED =
  'Reading took long while other people were waiting to add files. Nothing was added. Please add it again later.'
