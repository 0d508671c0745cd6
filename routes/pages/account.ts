import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../common/domain-error.js'
import { messages } from '../../messages.js'
import type { Page } from '../../plugins/views.js'
import { accountOf } from './signed-in.js'

declare module '../../plugins/views.js' {
  interface Pages {
    account: AccountPageView
  }
}

interface AccountPageView extends Page {
  /** The password has just been changed. */
  changed?: boolean
}

const AccountQuery = Type.Object({ changed: Type.Optional(Type.Literal('yes')) })
const PasswordForm = Type.Object({ current: Type.String(), next: Type.String() })

/** The signed-in user's account. */
export default async function accountPages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()

  app.get('/account', { schema: { querystring: AccountQuery } }, async (request, reply) =>
    reply.page('account', { here: 'account', changed: request.query.changed === 'yes' }),
  )

  app.post('/account/password', { schema: { body: PasswordForm } }, async (request, reply) => {
    const account = accountOf(request)
    const { current, next } = request.body
    try {
      if (!(await app.accounts.changePassword(account.id, current, next, request.ip))) {
        throw new DomainError(400, 'wrong_password', messages.account.wrong)
      }
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      if (error.retryAfter) reply.header('Retry-After', error.retryAfter)
      return reply.code(error.status).page('account', { here: 'account', error: error.message })
    }
    await reply.signIn(account)
    return reply.redirect('/account?changed=yes', 303)
  })

  app.post('/account/sign-out-everywhere', async (request, reply) => {
    await app.accounts.endSessions(accountOf(request).id)
    await reply.signOut()
    return reply.redirect('/login', 303)
  })
}
