import type { EventQueue } from './event-queue.js'

/** A thread: works on its tasks in turn, for a slice of time each. All times in milliseconds. */
export class Server {
  busyMs = 0
  readonly #events: EventQueue
  readonly #now: () => number
  readonly #sliceMs: number
  readonly #tasks: { left: number; done: () => void }[] = []
  #isRunning = false

  constructor(events: EventQueue, now: () => number, sliceMs = Number.POSITIVE_INFINITY) {
    this.#events = events
    this.#now = now
    this.#sliceMs = sliceMs
  }

  add(ms: number, done: () => void): void {
    this.#tasks.push({ left: ms, done })
    if (!this.#isRunning) this.#run()
  }

  #run(): void {
    const task = this.#tasks.shift()
    this.#isRunning = task !== undefined
    if (!task) return
    const ms = Math.min(task.left, this.#sliceMs)
    this.busyMs += ms
    task.left -= ms
    this.#events.add(this.#now() + ms, () => {
      if (task.left > 0) this.#tasks.push(task)
      else task.done()
      this.#run()
    })
  }
}
