/** An error that is reported to the client, with a matching HTTP status. Its message must reveal no internals. */
export class DomainError extends Error {
  readonly status: number
  /** Stable, snake_case. */
  readonly code: string
  /** Seconds to wait before retrying (`Retry-After`). */
  readonly retryAfter: number | undefined

  constructor(status: number, code: string, message: string, retryAfter?: number) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
  }
}

/** Also thrown for resources of other users, so that their existence is not revealed (RULES S2). */
export const notFound = (what: string) => new DomainError(404, 'not_found', `There is no such ${what}.`)
