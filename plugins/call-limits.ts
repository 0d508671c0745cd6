import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Clock } from './clock.js'
import { DomainError } from './domain-error.js'

/** Seconds' worth of requests that may come at once. */
const BURST_SECONDS = 10
/** Requests of one connection that may be under way at a time. */
const AT_ONCE = 100
const SWEEP_MS = 60_000

interface Account {
  /** Below zero after a batch that took more than there was. */
  left: number
  /** When `left` was true. */
  at: number
  open: number
}

/**
 * How many MCP requests one connection may make (a token bucket each), so that one assistant gone wild does not take
 * what the others need. Kept in this process: several processes allow several times as much.
 */
export class CallLimits {
  readonly #perSecond: number
  readonly #clock: Clock
  readonly #accounts = new Map<string, Account>()
  /** Access tokens that proved a connection with nothing left, and until when that is so. */
  readonly #spent = new Map<string, number>()

  /** `perSecond` 0: no limit. */
  constructor(perSecond: number, clock: Clock) {
    this.#perSecond = perSecond
    this.#clock = clock
  }

  /** The refusal of a token whose connection has nothing left, before anybody looks it up. */
  precheck(token: string): DomainError | null {
    const until = this.#spent.get(token)
    const waitMs = until === undefined ? 0 : until - this.#clock()
    return waitMs > 0 ? this.#tooMany(waitMs) : null
  }

  /** Counts one request of a connection, which this token proved. @throws DomainError 429 */
  take(connectionId: string, token: string): void {
    if (this.#perSecond === 0) return
    const account = this.#accountOf(connectionId)
    if (account.left >= 1) {
      account.left--
      return
    }
    const waitMs = ((1 - account.left) * 1000) / this.#perSecond
    this.#spent.set(token, this.#clock() + waitMs)
    throw this.#tooMany(waitMs)
  }

  /** Counts what a batch held besides the one request that it came as. */
  charge(connectionId: string, calls: number): void {
    if (this.#perSecond > 0) this.#accountOf(connectionId).left -= calls
  }

  /** Does the work of a request beside those of the same connection. @throws DomainError 429 */
  async during<T>(connectionId: string, work: () => Promise<T>): Promise<T> {
    if (this.#perSecond === 0) return work()
    const account = this.#accountOf(connectionId)
    if (account.open >= AT_ONCE) throw this.#tooMany(0)
    account.open++
    try {
      return await work()
    } finally {
      account.open--
    }
  }

  /** Forgets what has nothing to say. */
  sweep(): void {
    const now = this.#clock()
    for (const [token, until] of this.#spent) if (until <= now) this.#spent.delete(token)
    for (const id of this.#accounts.keys()) {
      const { left, open } = this.#accountOf(id)
      if (open === 0 && left >= this.#burst) this.#accounts.delete(id)
    }
  }

  get #burst(): number {
    return this.#perSecond * BURST_SECONDS
  }

  #accountOf(connectionId: string): Account {
    const now = this.#clock()
    const known = this.#accounts.get(connectionId)
    if (!known) {
      const account = { left: this.#burst, at: now, open: 0 }
      this.#accounts.set(connectionId, account)
      return account
    }
    const earned = (Math.max(0, now - known.at) * this.#perSecond) / 1000
    known.left = Math.min(this.#burst, known.left + earned)
    known.at = now
    return known
  }

  #tooMany(waitMs: number): DomainError {
    const message = `This connection makes more than ${this.#perSecond} requests a second, or too many at once. Please wait.`
    return new DomainError(429, 'too_many_requests', message, Math.max(1, Math.ceil(waitMs / 1000)))
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    callLimits: CallLimits
  }
}

export default fp(
  async function callLimitsPlugin(app: FastifyInstance, { clock }: { clock: Clock }) {
    const limits = new CallLimits(app.config.callsPerSecond, clock)
    const sweeping = setInterval(() => limits.sweep(), SWEEP_MS).unref()
    app.decorate('callLimits', limits)
    app.addHook('onClose', async () => clearInterval(sweeping))
  },
  { name: 'call-limits', dependencies: ['config'] },
)
