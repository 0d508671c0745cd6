/** A refusal in the words of the domain: what the sender may know, with the HTTP status that fits it. */
export class DomainError extends Error {
  readonly status: number
  /** Stable, snake_case. */
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** What does not exist and what is not yours look the same (RULES S2). */
export const notFound = (what: string) => new DomainError(404, 'not_found', `There is no such ${what}.`)
