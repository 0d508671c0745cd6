import { Unavailable } from '../unavailable.js'

/** Runs work a few at a time, in order, and turns work away when too much is waiting. */
export class Queue {
  readonly #atOnce: number
  readonly #mostWaiting: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(atOnce: number, mostWaiting: number) {
    this.#atOnce = atOnce
    this.#mostWaiting = mostWaiting
  }

  /** @throws Unavailable when the queue is full */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#atOnce) {
      if (this.#waiting.length >= this.#mostWaiting) throw new Unavailable('too many passwords to check')
      await new Promise<void>(resolve => this.#waiting.push(resolve))
    } else {
      this.#running++
    }
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // The place is handed over, not freed, so that nobody slips in between.
      if (next) next()
      else this.#running--
    }
  }
}
