import { Unavailable } from '../../platform/common/unavailable.js'
import { accountErrors } from './errors.js'

/** The originator of work. */
export interface Sender {
  /** Identifies the sender; senders are served in rotation. */
  key: string
  /** Whether the sender has signed in before; known senders are served first. */
  isKnown: boolean
}

interface QueueLimits {
  /** Maximum number of tasks running at the same time. */
  concurrency: number
  waitingPerSender: number
  waiting: number
}

/** The service itself, such as the command line. Not limited per sender. */
const INTERNAL: Sender = { key: '', isKnown: true }

/**
 * Runs work with limited concurrency. Senders are served in rotation, known ones first, so that a task waits
 * for at most one task of each other sender.
 */
export class FairQueue {
  readonly #limits: QueueLimits
  /** Waiting tasks by sender, in the order of rotation. */
  readonly #known = new Map<string, (() => void)[]>()
  readonly #unknown = new Map<string, (() => void)[]>()
  #waiting = 0
  #running = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /**
   * @throws DomainError 429 if too much work of the sender is waiting, Unavailable if too much of all
   * senders is
   */
  async run<T>(work: () => Promise<T>, sender: Sender = INTERNAL): Promise<T> {
    if (this.#running < this.#limits.concurrency) this.#running++
    else await this.#wait(sender)
    try {
      return await work()
    } finally {
      const next = this.#next(this.#known) ?? this.#next(this.#unknown)
      // Hands the slot to the next task directly, so that no new task can take it.
      if (next) next()
      else this.#running--
    }
  }

  #wait(sender: Sender): Promise<void> {
    const senders = sender.isKnown ? this.#known : this.#unknown
    const waiting = senders.get(sender.key) ?? []
    if (sender !== INTERNAL && waiting.length >= this.#limits.waitingPerSender)
      throw accountErrors.signInsWaiting(2)
    if (this.#waiting >= this.#limits.waiting) throw new Unavailable('too many passwords to check')
    this.#waiting++
    senders.set(sender.key, waiting)
    return new Promise(resolve => waiting.push(resolve))
  }

  /** Takes the oldest task of the next sender and moves that sender to the end of the rotation. */
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
