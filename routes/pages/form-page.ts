import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../platform/common/domain-error.js'

/** The content of a page besides its subject: the latest change, or the refused form. */
interface FormContent {
  /** The reason why the form was refused. */
  error?: string | undefined
}

/** A form and its page. `Subject` is the subject of the page, such as a Safe. */
interface FormPage<Request extends FastifyRequest, Subject, Content extends FormContent> {
  /** Finds the subject. @throws DomainError 404, which is the response */
  load: (request: Request) => Subject | Promise<Subject>
  /**
   * Calls one function of a domain. Returns the path to continue at, or the content to show.
   * @throws DomainError with the reason why the form is refused
   */
  change: (request: Request, subject: Subject, reply: FastifyReply) => Promise<string | Content>
  /** Shows the page. */
  show: (request: Request, subject: Subject, reply: FastifyReply, shown: Content) => Promise<FastifyReply>
  /** The entered values, to be corrected. */
  entered?: (request: Request) => Content
  /**
   * For forms that name something that may have been removed: the message for it, as a conflict, since the page itself exists.
   * Without it, a 404 of the change is a separate page.
   */
  missing?: (request: Request) => string
}

/** Statuses of errors that people can correct or retry. All others have a separate page. */
const REFUSALS: readonly number[] = [400, 403, 409, 429]

/** The handler of a form: redirects after the change, or shows the page again with the reason for the refusal. */
export function formPage<Request extends FastifyRequest, Subject, Content extends FormContent>({
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

/** The message of a form for an error. Null if the error does not refuse the entered values. */
function refusalOf(error: unknown, missing?: string) {
  if (!(error instanceof DomainError)) return null
  const { status, message, retryAfter } = error
  if (status === 404 && missing !== undefined) return { status: 409, message: missing, retryAfter }
  return REFUSALS.includes(status) ? { status, message, retryAfter } : null
}
