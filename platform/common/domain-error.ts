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

type Worded = `${number}${string} ${string}: ${string}`
type Made<Kind> = Kind extends (...of: infer Of) => string ? (...of: Of) => DomainError : () => DomainError

/** A function for each kind of error, from its wording: "409 last_owner: A Safe …", or "409+5 notes_busy: …" to retry after 5 s. */
export function errorsOf<Kinds extends Record<string, Worded | ((...about: never[]) => Worded)>>(
  kinds: Kinds,
) {
  const made = Object.entries(kinds).map(([kind, worded]) => [
    kind,
    (...about: never[]) => {
      const text = typeof worded === 'string' ? worded : worded(...about)
      const [head = '', status, retryAfter, code = ''] = /^(\d+)(?:\+(\S+))? (\w+): /.exec(text) ?? []
      const seconds = retryAfter ? Number(retryAfter) : undefined
      return new DomainError(Number(status), code, text.slice(head.length), seconds)
    },
  ])
  return Object.fromEntries(made) as { [Kind in keyof Kinds]: Made<Kinds[Kind]> }
}
