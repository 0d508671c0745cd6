import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Clock } from '../common/clock.js'
import { DomainError } from '../common/domain-error.js'

/** Seconds' worth of requests that may come at once. */
const BURST_SECONDS = 10
/**
 * Processor time that one request pays for; what takes longer counts as more requests. Most questions take less than
 * one, and at 50 requests a second a connection gets a fifth of a core.
 */
const MS_PER_CALL = 4
/** Requests of one connection that may be under way at a time. */
const AT_ONCE = 100
const SWEEP_MS = 60_000

interface Account {
  /** Below zero after a batch that took more than there was. */
  left: number
  /** When `left` was true. */
  at: number
  open: number
  /** Since the last sweep. */
  refused: number
}

/**
 * How many MCP requests one connection may make (a token bucket each), so that one assistant gone wild does not take
 * what the others need. Kept in this process: several processes allow several times as much.
 */
export class CallLimits {
  readonly #perSecond: number
  readonly #clock: Clock
  readonly #accounts = new Map<string, Account>()
  /** Whose an access token is, once it was checked. */
  readonly #connections = new Map<string, string>()
  /** By seconds to wait: making an error takes longer than the rest of a refusal. */
  readonly #refusals = new Map<number, DomainError>()

  /** `perSecond` 0: no limit. */
  constructor(perSecond: number, clock: Clock) {
    this.#perSecond = perSecond
    this.#clock = clock
  }

  /** The connection that this token proved lately, before anybody looks it up; connection ids are no secret. */
  connectionOf(token: string): string | null {
    return this.#connections.get(token) ?? null
  }

  /** Remembers whose a token is that was checked. */
  proved(token: string, connectionId: string): void {
    this.#accountOf(connectionId)
    this.#connections.set(token, connectionId)
  }

  /** Counts one request of a connection. @returns the refusal, 429, when it has nothing left */
  take(connectionId: string): DomainError | null {
    if (this.#perSecond === 0) return null
    const account = this.#accountOf(connectionId)
    if (account.left < 1) return this.#tooMany(account)
    account.left--
    return null
  }

  /** Counts what a batch holds besides the one request that it came as, before any of it is answered. */
  charge(connectionId: string, calls: number): void {
    if (this.#perSecond > 0) this.#accountOf(connectionId).left -= calls
  }

  /** Counts processor time beyond what a request pays for. */
  spend(connectionId: string, ms: number): void {
    this.charge(connectionId, Math.max(0, ms / MS_PER_CALL - 1))
  }

  /** Does the work of a request beside those of the same connection. @throws DomainError 429 */
  async during<T>(connectionId: string, work: () => Promise<T>): Promise<T> {
    if (this.#perSecond === 0) return work()
    const account = this.#accountOf(connectionId)
    if (account.open >= AT_ONCE) throw this.#tooMany(account)
    account.open++
    try {
      return await work()
    } finally {
      account.open--
    }
  }

  /** Forgets what has nothing to say. @returns how many requests were refused since the last sweep, by connection */
  sweep(): Map<string, number> {
    const refused = new Map<string, number>()
    for (const id of this.#accounts.keys()) {
      const account = this.#accountOf(id)
      if (account.refused > 0) refused.set(id, account.refused)
      account.refused = 0
      if (account.open === 0 && account.left >= this.#burst) this.#accounts.delete(id)
    }
    for (const [token, id] of this.#connections) if (!this.#accounts.has(id)) this.#connections.delete(token)
    return refused
  }

  get #burst(): number {
    return this.#perSecond * BURST_SECONDS
  }

  #accountOf(connectionId: string): Account {
    const now = this.#clock()
    const known = this.#accounts.get(connectionId)
    if (!known) {
      const account = { left: this.#burst, at: now, open: 0, refused: 0 }
      this.#accounts.set(connectionId, account)
      return account
    }
    const earned = (Math.max(0, now - known.at) * this.#perSecond) / 1000
    known.left = Math.min(this.#burst, known.left + earned)
    known.at = now
    return known
  }

  #tooMany(account: Account): DomainError {
    account.refused++
    const seconds = Math.max(1, Math.ceil((1 - account.left) / this.#perSecond))
    const made = this.#refusals.get(seconds)
    if (made) return made
    const message = `This connection makes more than ${this.#perSecond} requests a second, or too many at once. Please wait.`
    const refusal = new DomainError(429, 'too_many_requests', message, seconds)
    this.#refusals.set(seconds, refusal)
    return refusal
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
    const sweeping = setInterval(() => {
      for (const [connectionId, refused] of limits.sweep())
        app.log.warn({ connectionId, refused }, 'a connection made too many requests')
    }, SWEEP_MS).unref()
    app.decorate('callLimits', limits)
    app.addHook('onClose', async () => clearInterval(sweeping))
  },
  { name: 'call-limits', dependencies: ['config'] },
)
