import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Unavailable } from './unavailable.js'

/** How often a turn of the event loop is noticed; also how exact the times below are. Milliseconds. */
const TICK_MS = 20
/** A turn that takes longer leaves a queue behind it, if requests made it long. */
const LONG_TURN_MS = 100
/** A pause (garbage, a busy machine) makes one long turn, and what waited meanwhile another. */
const LONG_TURNS = 2
/** What each turn spends on requests from then on. */
const BUDGET_MS = 40
/** So many are let in at each turn, whatever made it long. */
const ALWAYS = 20
/** Overload is over when nobody was refused for so long. */
const CALM_MS = 1000

/**
 * Whether a process has more requests than it can answer. A queue of requests is a turn of the event loop that does not
 * end: all that arrived during one turn are read in the next. So turns are what is watched, and in overload each of
 * them lets in what arrives in its first 40 ms (docs/decisions/0019).
 */
export class Pressure {
  #turnBegan: number
  #longTurns = 0
  /** Requests of this turn. */
  #begun = 0
  #lastRefusal = 0

  constructor(now: number) {
    this.#turnBegan = now
  }

  get isHigh(): boolean {
    return this.#longTurns >= LONG_TURNS
  }

  /** A turn begins. Called every `TICK_MS`, or later when the turn before it took longer. */
  turn(now: number): void {
    if (!this.isHigh) {
      const isLong = this.#begun > ALWAYS && now - this.#turnBegan > LONG_TURN_MS + TICK_MS
      this.#longTurns = isLong ? this.#longTurns + 1 : 0
      this.#lastRefusal = now
    } else if (now - this.#lastRefusal > CALM_MS) this.#longTurns = 0
    this.#turnBegan = now
    this.#begun = 0
  }

  /** Whether a request that begins now is answered. */
  admits(now: number): boolean {
    if (++this.#begun <= ALWAYS || !this.isHigh || now - this.#turnBegan <= BUDGET_MS) return true
    this.#lastRefusal = now
    return false
  }
}

/** One for all: making an error takes longer than refusing. */
const OVERLOADED = new Unavailable('more requests than this process can answer')

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered in overload, too: by these a process is judged from outside. */
    neverRefused?: true
  }
}

/** Refuses what this process cannot answer in time with 503 and `Retry-After`, before any work is done for it. */
export default fp(
  async function pressurePlugin(app: FastifyInstance) {
    const pressure = new Pressure(performance.now())
    let refused = 0
    const turns = setInterval(() => {
      pressure.turn(performance.now())
      if (refused === 0 || pressure.isHigh) return
      app.log.warn({ refused }, 'the overload is over')
      refused = 0
    }, TICK_MS).unref()
    app.addHook('onClose', async () => clearInterval(turns))

    app.addHook('onRequest', (request, _reply, done) => {
      // Not counted below, so that a flood does not take the places of the others.
      const tooMany = app.callLimits.precheck(request.headers.authorization?.slice('Bearer '.length) ?? '')
      if (tooMany) return done(tooMany)
      if (pressure.admits(performance.now()) || request.routeOptions.config.neverRefused) return done()
      if (refused++ === 0) app.log.warn('overload: more requests than this process can answer')
      // A line for each would be more work than the answer.
      request.log.level = 'silent'
      done(OVERLOADED)
    })
  },
  { name: 'pressure', dependencies: ['errors', 'call-limits'] },
)
