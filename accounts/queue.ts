import { DomainError } from '../common/domain-error.js'
import { Unavailable } from '../common/unavailable.js'

/** Whose work it is. */
export interface Sender {
  /** Senders take turns, whatever each of them sends. */
  key: string
  /** Comes before all who are not: somebody who was here before. */
  isKnown: boolean
}

export interface QueueLimits {
  /** How much work is done at a time. */
  atOnce: number
  waitingPerSender: number
  waiting: number
}

/** The service itself, e.g. the command line; not limited as a sender. */
const OURSELVES: Sender = { key: '', isKnown: true }

/**
 * Runs work a few at a time. Senders take turns, those who are known first, so that whoever waits, waits for one piece
 * of work of each other sender and not for all that others have sent.
 */
export class FairQueue {
  readonly #limits: QueueLimits
  /** By sender, in the order of their turns. */
  readonly #known = new Map<string, (() => void)[]>()
  readonly #unknown = new Map<string, (() => void)[]>()
  #waiting = 0
  #running = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /** @throws DomainError 429 when the sender has too much waiting, Unavailable when all together have */
  async run<T>(work: () => Promise<T>, sender: Sender = OURSELVES): Promise<T> {
    if (this.#running < this.#limits.atOnce) this.#running++
    else await this.#wait(sender)
    try {
      return await work()
    } finally {
      const next = this.#next(this.#known) ?? this.#next(this.#unknown)
      // The place is handed over, not freed, so that nobody slips in between.
      if (next) next()
      else this.#running--
    }
  }

  #wait(sender: Sender): Promise<void> {
    const senders = sender.isKnown ? this.#known : this.#unknown
    const waiting = senders.get(sender.key) ?? []
    if (sender !== OURSELVES && waiting.length >= this.#limits.waitingPerSender) throw tooMany()
    if (this.#waiting >= this.#limits.waiting) throw new Unavailable('too many passwords to check')
    this.#waiting++
    senders.set(sender.key, waiting)
    return new Promise(resolve => waiting.push(resolve))
  }

  /** Takes the oldest work of the sender whose turn it is; its next turn is after all others'. */
  #next(senders: Map<string, (() => void)[]>): (() => void) | undefined {
    for (const [key, waiting] of senders) {
      const next = waiting.shift()
      senders.delete(key)
      if (waiting.length > 0) senders.set(key, waiting)
      this.#waiting--
      return next
    }
    return undefined
  }
}

const tooMany = () =>
  new DomainError(
    429,
    'too_many_attempts',
    'Several people are signing in from your address at this moment. Please try again in 2 s.',
    2,
  )
