/** A refusal in the words of the domain: what the sender may know, with the HTTP status that fits it. */
export class DomainError extends Error {
  readonly status: number
  /** Stable, snake_case. */
  readonly code: string
  /** Whole seconds after which trying again makes sense (`Retry-After`). */
  readonly retryAfter: number | undefined

  constructor(status: number, code: string, message: string, retryAfter?: number) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
  }
}

/** What does not exist and what is not yours look the same (RULES S2). */
export const notFound = (what: string) => new DomainError(404, 'not_found', `There is no such ${what}.`)
