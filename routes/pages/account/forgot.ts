import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../../common/domain-error.js'
import type { Page } from '../../../plugins/views.js'
import { TextField } from '../params.js'

declare module '../../../plugins/views.js' {
  interface Pages {
    forgot: ForgotPage
  }
}

interface ForgotPage extends Page {
  /** The form was sent, whatever it asked for. */
  isSent: boolean
  email?: string
}

const ForgotQuery = Type.Object({ sent: Type.Optional(Type.Literal('yes')) })
const ForgotForm = Type.Object({ email: TextField() })

/** Sends a link to reset a password, where there is a mail server. */
export default async function forgotPages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()
  const { mail, mailLimits } = root
  if (!mail) return

  app.get('/forgot', { schema: { querystring: ForgotQuery } }, async (request, reply) =>
    reply.page('forgot', { isSent: request.query.sent === 'yes' }),
  )

  app.post('/forgot', { schema: { body: ForgotForm } }, async (request, reply) => {
    const { email } = request.body
    try {
      await mailLimits.countResetRequest(request.ip)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      const { status, message, retryAfter = 0 } = error
      reply.code(status).header('Retry-After', retryAfter)
      return reply.page('forgot', { isSent: false, email, error: message })
    }
    // The account is looked up after the answer, so that its time tells nothing either (RULES C9).
    mail.requestReset(email)
    return reply.redirect('/forgot?sent=yes', 303)
  })
}
