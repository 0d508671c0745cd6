import { LRUCache } from 'lru-cache'
import type { Clock } from '../common/clock.js'
import type { DomainError } from '../common/domain-error.js'
import { type Rejection, rejections } from '../common/events.js'
import { limitErrors } from './errors.js'
import { fullBucket, type Rate, refill, secondsToToken, type TokenBucket } from './token-bucket.js'

/** A full bucket holds this many seconds' worth of requests. */
const BURST_SECONDS = 10
/** Processor time of an account per request of one connection: at 50 a second, a fifth of a core. */
const MS_PER_REQUEST = 4
/** Requests that one connection may have in flight. */
const MAX_IN_FLIGHT = 100
const MAX_ACCOUNTS = 100_000
/** Shared by all rejections, which must be cheap. */
const RATE_LIMITED: Rejection = { reason: 'rate_limit' }

/** The requests of one connection. */
interface Requests extends TokenBucket {
  inFlight: number
  /** Rejected since the last sweep. */
  rejected: number
  /** Milliseconds of processor time, shared by the connections of an account. */
  time: TokenBucket
}

/**
 * Limits the MCP and API requests of each connection, and the processor time of all connections of an account, with token
 * buckets, so that one runaway assistant cannot starve the others. Buckets are kept per process: with several processes the limit multiplies.
 */
export class RateLimiter {
  readonly #rate: Rate
  readonly #timeRate: Rate
  readonly #clock: Clock
  readonly #buckets = new Map<string, Requests>()
  /** Processor time by account. */
  readonly #times = new LRUCache<string, TokenBucket>({ max: MAX_ACCOUNTS })
  /** Connections by verified access token. */
  readonly #connections = new Map<string, string>()
  /** Errors by seconds to wait, reused: creating an error costs more than the rest of a rejection. */
  readonly #errors = new Map<number, DomainError>()

  /** `perSecond` 0 disables the limit. */
  constructor(perSecond: number, clock: Clock) {
    this.#rate = { perSecond, capacity: perSecond * BURST_SECONDS }
    const msPerSecond = perSecond * MS_PER_REQUEST
    this.#timeRate = { perSecond: msPerSecond, capacity: msPerSecond * BURST_SECONDS }
    this.#clock = clock
  }

  /** The connection of a recently verified token, without a lookup in the store. */
  connectionOf(token: string): string | null {
    return this.#connections.get(token) ?? null
  }

  /** Remembers the connection of a verified token, and its account. */
  rememberToken(token: string, connectionId: string, accountId: string): void {
    const bucket = this.#bucketOf(connectionId)
    bucket.time = this.#times.get(accountId) ?? bucket.time
    this.#times.set(accountId, bucket.time)
    this.#connections.set(token, connectionId)
  }

  /** Takes one token for a request. @returns a 429 error when none is left, or no processor time of its account */
  take(connectionId: string): DomainError | null {
    if (this.#rate.perSecond === 0) return null
    const bucket = this.#bucketOf(connectionId)
    refill(bucket.time, this.#timeRate, bucket.filledAt)
    if (bucket.tokens < 1 || bucket.time.tokens < 1) return this.#reject(bucket)
    bucket.tokens--
    return null
  }

  /** Takes tokens for the further calls of a batch, before any of them is answered. */
  charge(connectionId: string, calls: number): void {
    if (this.#rate.perSecond > 0) this.#bucketOf(connectionId).tokens -= calls
  }

  /** Takes processor time of the connection's account. */
  chargeTime(connectionId: string, ms: number): void {
    if (this.#rate.perSecond > 0) this.#bucketOf(connectionId).time.tokens -= ms
  }

  /** Runs a request unless its connection has too many in flight. @throws DomainError 429 */
  async run<T>(connectionId: string, work: () => Promise<T>): Promise<T> {
    if (this.#rate.perSecond === 0) return work()
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
      if (bucket.inFlight === 0 && bucket.tokens >= this.#rate.capacity) this.#buckets.delete(id)
    }
    for (const [token, id] of this.#connections) if (!this.#buckets.has(id)) this.#connections.delete(token)
    return rejected
  }

  /** The current bucket of the connection. */
  #bucketOf(connectionId: string): Requests {
    const now = this.#clock()
    const known = this.#buckets.get(connectionId)
    if (known) {
      refill(known, this.#rate, now)
      return known
    }
    const time = fullBucket(this.#timeRate, now)
    const bucket = { ...fullBucket(this.#rate, now), inFlight: 0, rejected: 0, time }
    this.#buckets.set(connectionId, bucket)
    return bucket
  }

  #reject(bucket: Requests): DomainError {
    bucket.rejected++
    rejections.publish(RATE_LIMITED)
    const seconds = Math.max(secondsToToken(bucket, this.#rate), secondsToToken(bucket.time, this.#timeRate))
    const known = this.#errors.get(seconds)
    if (known) return known
    const error = limitErrors.requests(this.#rate.perSecond, seconds)
    this.#errors.set(seconds, error)
    return error
  }
}
