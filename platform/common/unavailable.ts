/** A store is unavailable or overloaded. Answered with 503 and `Retry-After` (DESIGN §4). */
export class Unavailable extends Error {
  readonly statusCode = 503
  /** Seconds. */
  readonly retryAfter = 2
}
