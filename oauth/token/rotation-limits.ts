import { LRUCache } from 'lru-cache'
import type { Clock } from '../../common/clock.js'
import { DomainError } from '../../common/domain-error.js'

/** Rotations of a connection in a row: generous to three processes that refresh at once. */
const BURST = 60
/** One more rotation becomes possible each second. */
const PER_SECOND = 1
/** Connections remembered; one that is forgotten starts with a full bucket. */
const REMEMBERED = 100_000

/**
 * Limits the rotations of each connection in this process with a token bucket (RULES T18). Only successful
 * rotations count, so nobody can use up the limit of a connection without its refresh token.
 */
export class RotationLimits {
  readonly #clock: Clock
  readonly #buckets = new LRUCache<string, { tokens: number; refilledAt: number }>({ max: REMEMBERED })

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @throws DomainError 429 when the connection has rotated too often */
  check(connectionId: string): void {
    const { tokens } = this.#bucketOf(connectionId)
    if (tokens >= 1) return
    const seconds = Math.ceil((1 - tokens) / PER_SECOND)
    const message = 'This connection refreshes its tokens too often. Use the access token until it expires.'
    throw new DomainError(429, 'too_many_requests', message, seconds)
  }

  count(connectionId: string): void {
    const bucket = this.#bucketOf(connectionId)
    bucket.tokens--
    this.#buckets.set(connectionId, bucket)
  }

  /** The bucket, refilled up to now. A connection that has not rotated lately takes no memory. */
  #bucketOf(connectionId: string): { tokens: number; refilledAt: number } {
    const now = this.#clock()
    const known = this.#buckets.get(connectionId)
    if (!known) return { tokens: BURST, refilledAt: now }
    known.tokens = Math.min(BURST, known.tokens + (Math.max(0, now - known.refilledAt) * PER_SECOND) / 1000)
    known.refilledAt = now
    return known
  }
}
