import { LRUCache } from 'lru-cache'
import type { Clock } from '../common/clock.js'
import { limitErrors } from './errors.js'
import { fullBucket, type Rate, refill, secondsToToken, type TokenBucket } from './token-bucket.js'

/** Rotations in a row: generous to three processes that refresh at once. One more becomes possible each second. */
const RATE: Rate = { capacity: 60, perSecond: 1 }
/** Maximum connections remembered; a forgotten one starts with a full bucket. */
const REMEMBERED = 100_000

/**
 * Limits the rotations of each connection in this process (RULES T18). Only successful rotations count, so nobody can
 * use up the limit of a connection without its refresh token.
 */
export class RotationLimits {
  readonly #clock: Clock
  readonly #buckets = new LRUCache<string, TokenBucket>({ max: REMEMBERED })

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @throws DomainError 429 when the connection has rotated too often */
  check(connectionId: string): void {
    const bucket = this.#bucketOf(connectionId)
    if (bucket.tokens < 1) throw limitErrors.rotations(secondsToToken(bucket, RATE))
  }

  /** Counts a rotation. */
  count(connectionId: string): void {
    const bucket = this.#bucketOf(connectionId)
    bucket.tokens--
    this.#buckets.set(connectionId, bucket)
  }

  /** The current bucket. A connection without recent rotations takes no memory. */
  #bucketOf(connectionId: string): TokenBucket {
    const now = this.#clock()
    const bucket = this.#buckets.get(connectionId) ?? fullBucket(RATE, now)
    refill(bucket, RATE, now)
    return bucket
  }
}
