import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../../domain/accounts/account.js'
import { DomainError } from '../../../platform/common/domain-error.js'
import { accountTexts } from '../../../views/texts/account.js'
import { flashTexts } from '../../../views/texts/flash.js'
import { formPage } from '../form-page.js'
import { type RequestOf, TextField, type TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'
import { showAccount } from './account-page.js'

const Show = {
  querystring: Type.Object({
    changed: Type.Optional(Type.Literal('yes')),
    saved: Type.Optional(Type.Literal('notifications')),
  }),
}
/** A box that is not ticked is not sent. */
const Notifications = { body: Type.Object({ mail: Type.Optional(Type.Literal('on')) }) }
const ChangePassword = { body: Type.Object({ current: Type.String(), next: Type.String() }) }
const Unlink = { body: Type.Object({ issuer: TextField() }) }
const OfSession = { params: Type.Object({ sessionId: Type.String({ pattern: '^[\\w-]{43}$' }) }) }

/** The signed-in user's account. */
export default async function accountPages(app: TypedApp) {
  const form = { load: accountOf, show: showAccount }

  app.get('/account', { schema: Show }, (request, reply) =>
    showAccount(request, accountOf(request), reply, {
      changed: request.query.changed === 'yes',
      saved: request.query.saved === 'notifications',
    }),
  )
  if (app.mail) app.post('/account/notifications', { schema: Notifications }, setNotifications)
  app.post('/account/password', { schema: ChangePassword }, formPage({ ...form, change: changePassword }))
  app.post('/account/sessions/:sessionId/end', { schema: OfSession }, endSession)
  app.post('/account/sessions/end-others', endOtherSessions)
  app.post('/account/sign-out-everywhere', signOutEverywhere)
  if (app.providerSignIn)
    app.post('/account/providers/remove', { schema: Unlink }, formPage({ ...form, change: unlink }))
}

async function setNotifications(request: RequestOf<typeof Notifications>, reply: FastifyReply) {
  await request.server.accounts.records.setWantsMail(accountOf(request).id, request.body.mail === 'on')
  return reply.redirect('/account?saved=notifications#notifications', 303)
}

async function changePassword(
  { server, body, ip }: RequestOf<typeof ChangePassword>,
  account: Account,
  reply: FastifyReply,
) {
  if (!(await server.accounts.passwords.change(account.id, body.current, body.next, ip)))
    throw new DomainError(400, 'wrong_password', accountTexts.wrong)
  await reply.signIn(account)
  return '/account?changed=yes'
}

async function endSession(request: RequestOf<typeof OfSession>, reply: FastifyReply) {
  await request.server.loginSessions.endListed(accountOf(request).id, request.params.sessionId)
  reply.says({ text: flashTexts.signedOut })
  return reply.redirect('/account', 303)
}

async function endOtherSessions(request: FastifyRequest, reply: FastifyReply) {
  const account = accountOf(request)
  await request.server.accounts.records.endSessions(account.id)
  await reply.signIn(account)
  reply.says({ text: flashTexts.signedOut })
  return reply.redirect('/account', 303)
}

async function signOutEverywhere(request: FastifyRequest, reply: FastifyReply) {
  await request.server.accounts.records.endSessions(accountOf(request).id)
  await reply.signOut()
  return reply.redirect('/login', 303)
}

async function unlink({ server, body }: RequestOf<typeof Unlink>, { id }: Account) {
  await server.providerSignIn?.unlink(id, body.issuer)
  return '/account'
}
