/** The rate at which tokens flow in, and the capacity of a bucket. */
export interface Rate {
  perSecond: number
  capacity: number
}

/** Tokens to spend. Below zero if more were taken than were left. */
export interface TokenBucket {
  tokens: number
  filledAt: number
}

/** A full bucket. `now`, here and below: milliseconds. */
export const fullBucket = ({ capacity }: Rate, now: number): TokenBucket => ({
  tokens: capacity,
  filledAt: now,
})

/** Adds the tokens that have flowed in since the last time. */
export function refill(bucket: TokenBucket, { perSecond, capacity }: Rate, now: number): void {
  const passed = Math.max(0, now - bucket.filledAt)
  bucket.tokens = Math.min(capacity, bucket.tokens + (passed * perSecond) / 1000)
  bucket.filledAt = now
}

/** Seconds until the bucket has a whole token, at least one: the value of `Retry-After`. */
export const secondsToToken = ({ tokens }: TokenBucket, { perSecond }: Rate): number =>
  Math.max(1, Math.ceil((1 - tokens) / perSecond))
