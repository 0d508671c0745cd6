import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../../common/domain-error.js'
import { messages } from '../../../messages.js'
import type { Page } from '../../../plugins/views.js'
import { TextField } from '../params.js'
import { accountOf } from '../signed-in.js'
import { refusalOf, showAccount } from './account-page.js'
import { confirm } from './confirm.js'
import { type Removal, removalOf } from './removal.js'

declare module '../../../plugins/views.js' {
  interface Pages {
    'account-delete': DeleteAccountPage
  }
}

interface DeleteAccountPage extends Page {
  isLastAdmin: boolean
  /** Asked for to confirm. */
  hasPassword: boolean
  removal: Removal
}

const AccountQuery = Type.Object({
  changed: Type.Optional(Type.Literal('yes')),
  saved: Type.Optional(Type.Literal('notifications')),
})
/** A box that is not ticked is not sent. */
const NotificationsForm = Type.Object({ mail: Type.Optional(Type.Literal('on')) })
const PasswordForm = Type.Object({ current: Type.String(), next: Type.String() })
/** Without a password, a recent sign-in confirms. */
const DeleteForm = Type.Object({ password: Type.Optional(Type.String()) })
const UnlinkForm = Type.Object({ issuer: TextField() })
const SessionParams = Type.Object({ sessionId: Type.String({ pattern: '^[\\w-]{43}$' }) })

/** The signed-in user's account. */
export default async function accountPages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()

  app.get('/account', { schema: { querystring: AccountQuery } }, async (request, reply) =>
    showAccount(request, reply, {
      changed: request.query.changed === 'yes',
      saved: request.query.saved === 'notifications',
    }),
  )

  if (app.mail)
    app.post('/account/notifications', { schema: { body: NotificationsForm } }, async (request, reply) => {
      await app.accounts.setWantsMail(accountOf(request).id, request.body.mail === 'on')
      return reply.redirect('/account?saved=notifications#notifications', 303)
    })

  app.post('/account/password', { schema: { body: PasswordForm } }, async (request, reply) => {
    const account = accountOf(request)
    const { current, next } = request.body
    try {
      if (!(await app.accounts.changePassword(account.id, current, next, request.ip))) {
        throw new DomainError(400, 'wrong_password', messages.account.wrong)
      }
    } catch (error) {
      return showAccount(request, reply, { error: refusalOf(error, reply) })
    }
    await reply.signIn(account)
    return reply.redirect('/account?changed=yes', 303)
  })

  app.post(
    '/account/sessions/:sessionId/end',
    { schema: { params: SessionParams } },
    async (request, reply) => {
      await app.loginSessions.endListed(accountOf(request).id, request.params.sessionId)
      return reply.redirect('/account', 303)
    },
  )

  app.post('/account/sessions/end-others', async (request, reply) => {
    const account = accountOf(request)
    await app.accounts.endSessions(account.id)
    await reply.signIn(account)
    return reply.redirect('/account', 303)
  })

  app.post('/account/sign-out-everywhere', async (request, reply) => {
    await app.accounts.endSessions(accountOf(request).id)
    await reply.signOut()
    return reply.redirect('/login', 303)
  })

  app.get('/account/delete', async (request, reply) => showDeletion(request, reply))

  app.post('/account/delete', { schema: { body: DeleteForm } }, async (request, reply) => {
    try {
      const { id } = accountOf(request)
      await confirm(request, request.body.password)
      await app.accounts.remove(id)
    } catch (error) {
      return showDeletion(request, reply, refusalOf(error, reply))
    }
    await reply.signOut()
    return reply.redirect('/login', 303)
  })

  const { providerSignIn } = app
  if (providerSignIn)
    app.post('/account/providers/remove', { schema: { body: UnlinkForm } }, async (request, reply) => {
      try {
        await providerSignIn.unlink(accountOf(request).id, request.body.issuer)
      } catch (error) {
        return showAccount(request, reply, { error: refusalOf(error, reply) })
      }
      return reply.redirect('/account', 303)
    })

  async function showDeletion(request: FastifyRequest, reply: FastifyReply, error?: string) {
    const { id } = accountOf(request)
    const isLastAdmin = await app.accounts.isLastAdmin(id)
    return reply.page('account-delete', {
      here: 'account',
      isLastAdmin,
      hasPassword: await app.accounts.hasPassword(id),
      removal: await removalOf(app, id),
      error: isLastAdmin ? undefined : error,
    })
  }
}
