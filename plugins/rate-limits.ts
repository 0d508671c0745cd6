import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Clock } from '../common/clock.js'
import { DomainError } from '../common/domain-error.js'
import { type Rejection, rejections } from '../common/events.js'

/** A full bucket holds this many seconds' worth of requests. */
const BURST_SECONDS = 10
/**
 * Processor time covered by one token; slower requests take more tokens. Most questions take less, and at 50
 * requests a second a connection gets a fifth of a core.
 */
const MS_PER_TOKEN = 4
/** Requests that one connection may have in flight. */
const MAX_IN_FLIGHT = 100
const SWEEP_MS = 60_000
/** Shared by all rejections, which must cost little. */
const RATE_LIMITED: Rejection = { reason: 'rate_limit' }

interface TokenBucket {
  /** Below zero after a batch that took more tokens than were left. */
  tokens: number
  refilledAt: number
  inFlight: number
  /** Requests rejected since the last sweep. */
  rejected: number
}

/**
 * Limits the MCP and API requests of each connection with a token bucket, so that one runaway assistant cannot starve
 * the others. Buckets are kept per process: with several processes the limit multiplies.
 */
export class RateLimiter {
  readonly #perSecond: number
  readonly #clock: Clock
  readonly #buckets = new Map<string, TokenBucket>()
  /** Connections by verified access token. */
  readonly #connections = new Map<string, string>()
  /** Errors by seconds to wait, reused: creating an error costs more than the rest of a rejection. */
  readonly #errors = new Map<number, DomainError>()

  /** `perSecond` 0 disables the limit. */
  constructor(perSecond: number, clock: Clock) {
    this.#perSecond = perSecond
    this.#clock = clock
  }

  /** The connection of a recently verified token, without a lookup in the store. */
  connectionOf(token: string): string | null {
    return this.#connections.get(token) ?? null
  }

  /** Remembers the connection of a verified token. */
  rememberToken(token: string, connectionId: string): void {
    this.#bucketOf(connectionId)
    this.#connections.set(token, connectionId)
  }

  /** Takes one token for a request. @returns a 429 error when none is left */
  take(connectionId: string): DomainError | null {
    if (this.#perSecond === 0) return null
    const bucket = this.#bucketOf(connectionId)
    if (bucket.tokens < 1) return this.#reject(bucket)
    bucket.tokens--
    return null
  }

  /** Takes tokens for the further calls of a batch, before any of them is answered. */
  charge(connectionId: string, calls: number): void {
    if (this.#perSecond > 0) this.#bucketOf(connectionId).tokens -= calls
  }

  /** Takes tokens for processor time beyond what the request's own token covers. */
  chargeTime(connectionId: string, ms: number): void {
    this.charge(connectionId, Math.max(0, ms / MS_PER_TOKEN - 1))
  }

  /** Runs a request unless its connection has too many in flight. @throws DomainError 429 */
  async run<T>(connectionId: string, work: () => Promise<T>): Promise<T> {
    if (this.#perSecond === 0) return work()
    const bucket = this.#bucketOf(connectionId)
    if (bucket.inFlight >= MAX_IN_FLIGHT) throw this.#reject(bucket)
    bucket.inFlight++
    try {
      return await work()
    } finally {
      bucket.inFlight--
    }
  }

  /** Removes idle buckets. @returns the number of requests rejected since the last sweep, by connection */
  sweep(): Map<string, number> {
    const rejected = new Map<string, number>()
    for (const id of this.#buckets.keys()) {
      const bucket = this.#bucketOf(id)
      if (bucket.rejected > 0) rejected.set(id, bucket.rejected)
      bucket.rejected = 0
      if (bucket.inFlight === 0 && bucket.tokens >= this.#capacity) this.#buckets.delete(id)
    }
    for (const [token, id] of this.#connections) if (!this.#buckets.has(id)) this.#connections.delete(token)
    return rejected
  }

  get #capacity(): number {
    return this.#perSecond * BURST_SECONDS
  }

  /** The connection's bucket, refilled up to now. */
  #bucketOf(connectionId: string): TokenBucket {
    const now = this.#clock()
    const known = this.#buckets.get(connectionId)
    if (!known) {
      const bucket = { tokens: this.#capacity, refilledAt: now, inFlight: 0, rejected: 0 }
      this.#buckets.set(connectionId, bucket)
      return bucket
    }
    const refill = (Math.max(0, now - known.refilledAt) * this.#perSecond) / 1000
    known.tokens = Math.min(this.#capacity, known.tokens + refill)
    known.refilledAt = now
    return known
  }

  #reject(bucket: TokenBucket): DomainError {
    bucket.rejected++
    rejections.publish(RATE_LIMITED)
    const seconds = Math.max(1, Math.ceil((1 - bucket.tokens) / this.#perSecond))
    const known = this.#errors.get(seconds)
    if (known) return known
    const message = `This connection makes more than ${this.#perSecond} requests a second, or too many at once. Please wait.`
    const error = new DomainError(429, 'too_many_requests', message, seconds)
    this.#errors.set(seconds, error)
    return error
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    rateLimiter: RateLimiter
  }
}

export default fp(
  async function rateLimitsPlugin(app: FastifyInstance, { clock }: { clock: Clock }) {
    const rateLimiter = new RateLimiter(app.config.callsPerSecond, clock)
    const sweeper = setInterval(() => {
      for (const [connectionId, rejected] of rateLimiter.sweep())
        app.log.warn({ connectionId, rejected }, 'a connection exceeded its rate limit')
    }, SWEEP_MS).unref()
    app.decorate('rateLimiter', rateLimiter)
    app.addHook('onClose', async () => clearInterval(sweeper))
  },
  { name: 'rate-limits', dependencies: ['config'] },
)
