import { FairShare } from '../../../platform/limits/fair-share.js'
import { OverloadDetector } from '../../../platform/limits/overload-detector.js'

export interface Load {
  /** Cost of reading a request, of handling the reply of the store, and of a rejection. Milliseconds. */
  readMs: number
  thenMs: number
  refuseMs: number
  /** Requests per second of each sender. */
  senders: Record<string, number>
  /** When the process pauses, and for how long. */
  pauses?: { at: number; ms: number }[]
}

/** Milliseconds until each request of a sender was answered or rejected. */
export interface Outcome {
  answered: number[]
  refused: number[]
}

type QueuedEvent = { at: number; read: () => void }

/**
 * Simulates ten seconds of an event loop that handles requests in order of arrival. Replies of the store that
 * have accumulated are handled together.
 */
export class Queue {
  readonly #load: Load
  readonly #outcomes: Record<string, Outcome> = {}
  readonly #detector = new OverloadDetector(() =>
    this.#events.push({ at: this.#now, read: () => this.#probeReturned() }),
  )
  readonly #fairShare = new FairShare()
  readonly #events: QueuedEvent[] = []
  #asked: (() => void)[] = []
  #now = 0

  constructor(load: Load) {
    this.#load = load
  }

  run(): Record<string, Outcome> {
    const senders = Object.entries(this.#load.senders)
    const arriving = senders.flatMap(([sender, perSecond], s) =>
      Array.from({ length: perSecond * 10 }, (_, i) => {
        return { sender, at: ((i + s / senders.length) * 1000) / perSecond }
      }),
    )
    arriving.sort((a, b) => a.at - b.at)
    const pauses = [...(this.#load.pauses ?? [])]
    let read = 0
    let arrived = 0
    let tickAt = 0
    for (;;) {
      if (this.#now >= tickAt) {
        this.#detector.tick(this.#now)
        tickAt = this.#now + 20
      }
      if (pauses[0] && pauses[0].at <= this.#now) this.#now += pauses.shift()?.ms ?? 0
      for (let next = arriving[arrived]; next && next.at <= this.#now; next = arriving[++arrived]) {
        const { sender, at } = next
        this.#events.push({ at, read: () => this.#request(sender, at) })
      }
      const event = this.#events[read++]
      if (event) event.read()
      else if (arrived === arriving.length) return this.#outcomes
      else {
        read--
        this.#now = Math.min(arriving[arrived]?.at ?? this.#now, tickAt)
      }
    }
  }

  #probeReturned(): void {
    this.#detector.probeReturned(this.#now)
  }

  #request(sender: string, at: number): void {
    const { readMs, thenMs, refuseMs } = this.#load
    const outcome = this.#outcomes[sender] ?? { answered: [], refused: [] }
    this.#outcomes[sender] = outcome
    if (this.#detector.shouldShed(this.#now, this.#fairShare.record(sender, this.#now), true)) {
      this.#now += refuseMs
      outcome.refused.push(this.#now - at)
      return
    }
    this.#now += readMs
    if (thenMs === 0) {
      outcome.answered.push(this.#now - at)
      return
    }
    if (this.#asked.length === 0) this.#events.push({ at: this.#now, read: () => this.#storeAnswered() })
    this.#asked.push(() => {
      this.#now += thenMs
      outcome.answered.push(this.#now - at)
    })
  }

  #storeAnswered(): void {
    const asked = this.#asked
    this.#asked = []
    for (const answer of asked) answer()
  }
}
