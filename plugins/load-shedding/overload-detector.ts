import { MessageChannel } from 'node:worker_threads'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Shares } from './fair-share.js'

/** While there are requests, probes leave so often if none is out. Milliseconds, as all below. */
const TICK_MS = 20
/** After so many ticks without a request there is nothing to probe. */
const QUIET_TICKS = 50
/** A probe that takes longer to come back finds a queue. */
const LATE_MS = 100
/** A queue that stays for so long is overload. A pause (garbage, a busy machine) leaves one that goes away. */
const LATE_FOR_MS = 400
/** It is gone when probes were in time for so long. One may come back between what was let in and its work. */
const GONE_MS = 200
/** In overload, how long a round from probe to probe should be. */
const ROUND_MS = 50
/** How many requests a round lets in when overload begins. */
const PLACES = 50
/**
 * Which part of the places is open to those who ask more than others, and to those who proved nothing: of them there may
 * be as many as somebody has addresses.
 */
const GREEDY_PART = 0.2
const UNPROVEN_PART = 0.5
/** Places of a round that are there in any case for those who do not, and one more in each `MORE_MS`. */
const ALWAYS = 10
const MORE_MS = 50
/** Overload is over when no round refused anybody for so long. */
const CALM_MS = 300

/**
 * Whether a process has more requests than it can answer. They queue in the kernel, and how long each waited there is
 * nowhere to be read; but a probe that leaves through the same queue comes back when all that arrived before it was
 * read. So a request that is read while a probe is out has waited for at least as long as the probe has
 * (docs/decisions/0019).
 */
export class Pressure {
  readonly #send: () => void
  /** When the probe left that is out. */
  #left: number | null = null
  #back = 0
  /** When the one before came back, for whatever is done before the next can leave; when it left if there was nothing. */
  #began = 0
  /** When the first of the probes came back that have been late since. */
  #lateSince: number | null = null
  #lastLate = 0
  /** How long the last round was, and whether it was late and not shorter than the one before. */
  #took = 0
  #isGrowing = false
  /** Since when a round was without refusals. */
  #calmSince = 0
  #hasRefused = false
  /** While the probe is out. */
  #letIn = 0
  /** How many a round lets in: as many as make it `ROUND_MS` long. */
  #places = PLACES
  /** Since a request was read. Not milliseconds, because work may take seconds. */
  #quietTicks = QUIET_TICKS
  isHigh = false

  /** `send` sends a probe; when it is read, `back` is called. */
  constructor(send: () => void) {
    this.#send = send
  }

  /** Called every `TICK_MS`, or later when the event loop is busy: what was let in is worked on, and maybe nothing read. */
  tick(now: number): void {
    if (this.#quietTicks < QUIET_TICKS && ++this.#quietTicks < QUIET_TICKS) this.#probe(now)
  }

  /** The probe came back. */
  back(now: number): void {
    const took = now - this.#began
    this.#isGrowing = took > LATE_MS && took >= this.#took
    this.#took = took
    this.#left = null
    this.#back = now
    if (took > LATE_MS) {
      this.#lateSince ??= now
      this.#lastLate = now
    } else if (now - this.#lastLate > GONE_MS) this.#lateSince = null
    const scale = Math.max(0.5, ROUND_MS / took)
    if (scale < 1) this.#places = Math.max(ALWAYS, this.#places * scale)
    else if (this.#hasRefused) this.#places *= Math.min(1.25, scale)
    if (this.#hasRefused) this.#calmSince = now
    else if (now - this.#calmSince > CALM_MS) this.isHigh = false
    this.#hasRefused = false
  }

  /** Whether a request that is read now is answered. */
  admits(now: number, isGreedy: boolean, isProven: boolean): boolean {
    const waited = this.#probe(now)
    this.#quietTicks = 0
    if (!this.isHigh) {
      const isStaying = this.#lateSince !== null && now - this.#lateSince > LATE_FOR_MS
      if (!isStaying || (now - this.#began <= LATE_MS && !this.#isGrowing)) return true
      this.isHigh = true
      this.#places = PLACES
      this.#calmSince = now
    }
    const part = this.#places * (isProven ? 1 : UNPROVEN_PART)
    const places = isGreedy ? this.#places * GREEDY_PART : part + Math.floor(waited / MORE_MS)
    if (this.#letIn < places) {
      this.#letIn++
      return true
    }
    this.#hasRefused = true
    return false
  }

  /** Sends a probe if none is out. @returns for how long it has been out */
  #probe(now: number): number {
    if (this.#left !== null) return now - this.#left
    this.#began = this.#quietTicks < QUIET_TICKS ? this.#back : now
    this.#left = now
    this.#letIn = 0
    this.#send()
    return 0
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether a request of `sender` that is read now is answered. Each request asks once. `isProven`: nobody else can be this sender. */
    admits(sender: string, isProven: boolean): boolean
  }
}

export default fp(
  async function pressurePlugin(app: FastifyInstance) {
    // A message to ourselves wakes the event loop by a file descriptor, so it waits in line with the sockets.
    const { port1, port2 } = new MessageChannel()
    const pressure = new Pressure(() => port1.postMessage(null))
    const shares = new Shares()
    let refused = 0
    port2.on('message', () => {
      pressure.back(performance.now())
      if (refused === 0 || pressure.isHigh) return
      app.log.warn({ refused }, 'the overload is over')
      refused = 0
    })
    port2.unref()
    const ticking = setInterval(() => pressure.tick(performance.now()), TICK_MS).unref()
    app.addHook('onClose', async () => {
      clearInterval(ticking)
      port1.close()
    })

    app.decorate('admits', (sender: string, isProven: boolean) => {
      // Requests that were injected did not wait in the line that probes wait in.
      if (!app.server.listening) return true
      const now = performance.now()
      if (pressure.admits(now, shares.count(sender, now), isProven)) return true
      if (refused++ === 0) app.log.warn('overload: more requests than this process can answer')
      return false
    })
  },
  { name: 'pressure' },
)
