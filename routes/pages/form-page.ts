import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../platform/common/domain-error.js'

/** What a page shows besides its subject: what has just been done, or the refused form. */
interface Shown {
  /** Why the form was refused. */
  error?: string | undefined
}

/** A form and the page on which it stands. `Subject` is what the page is about, such as a Safe. */
interface FormPage<Request extends FastifyRequest, Subject, Content extends Shown> {
  /** Finds the subject. @throws DomainError 404, which is the answer */
  load: (request: Request) => Subject | Promise<Subject>
  /**
   * Calls one function of a domain. Returns the path to go on at, or what the page shows then.
   * @throws DomainError why the form is refused
   */
  change: (request: Request, subject: Subject, reply: FastifyReply) => Promise<string | Content>
  /** Shows the page. */
  show: (request: Request, subject: Subject, reply: FastifyReply, shown: Content) => Promise<FastifyReply>
  /** What was entered, to be corrected. */
  entered?: (request: Request) => Content
  /**
   * For forms that name something that may have been removed: what is said then, as a conflict, since the page itself is there.
   * Without it, a 404 of the change is a page of its own.
   */
  missing?: (request: Request) => string
}

/** Statuses of what somebody can correct or try again. All others have a page of their own. */
const REFUSALS: readonly number[] = [400, 403, 409, 429]

/** The handler of a form: redirects after the change, or shows the page again and says why it was refused. */
export function formPage<Request extends FastifyRequest, Subject, Content extends Shown>({
  load,
  change,
  show,
  entered,
  missing,
}: FormPage<Request, Subject, Content>) {
  return async (request: Request, reply: FastifyReply): Promise<FastifyReply> => {
    const subject = await load(request)
    let outcome: string | Content
    try {
      outcome = await change(request, subject, reply)
    } catch (error) {
      const refusal = refusalOf(error, missing?.(request))
      if (!refusal) throw error
      if (refusal.retryAfter) reply.header('Retry-After', refusal.retryAfter)
      const shown = { ...entered?.(request), error: refusal.message } as Content
      return show(request, subject, reply.code(refusal.status), shown)
    }
    if (typeof outcome === 'string') return reply.redirect(outcome, 303)
    return show(request, subject, reply, outcome)
  }
}

/** What a form says about an error. Null if the error is no refusal of what was entered. */
function refusalOf(error: unknown, missing?: string) {
  if (!(error instanceof DomainError)) return null
  const { status, message, retryAfter } = error
  if (status === 404 && missing !== undefined) return { status: 409, message: missing, retryAfter }
  return REFUSALS.includes(status) ? { status, message, retryAfter } : null
}
