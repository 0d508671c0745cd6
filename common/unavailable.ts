/** A store that is away or too busy. Answered with 503 and `Retry-After` (DESIGN §4), never with a guess. */
export class Unavailable extends Error {
  readonly statusCode = 503
  /** Whole seconds. */
  readonly retryAfter = 2
}
