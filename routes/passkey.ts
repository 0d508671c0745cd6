import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Passkeys } from '../domain/accounts/passkeys/passkeys.js'
import { NextFields, nextPage, showRefused } from './login-page.js'
import { passkeysOf } from './pages/account/passkeys.js'
import { formPage } from './pages/form-page.js'
import type { RequestOf, TypedApp } from './pages/params.js'

const SignIn = {
  body: Type.Object({
    /** JSON of the browser's answer. */
    credential: Type.String(),
    ...NextFields,
  }),
}

/** Signing in with a passkey (ADR 64). */
export default async function passkeyRoutes(app: TypedApp) {
  if (!app.passkeys) return
  app.get('/login/passkey', sendOptions)
  app.post(
    '/login/passkey',
    { schema: SignIn },
    formPage({ load: passkeysOf, change: signIn, show: showRefused }),
  )
}

async function sendOptions(request: FastifyRequest, reply: FastifyReply) {
  return reply.header('Cache-Control', 'no-store').send(passkeysOf(request).requestOptions(request.browser))
}

async function signIn(request: RequestOf<typeof SignIn>, passkeys: Passkeys, reply: FastifyReply) {
  const { body, browsers, ip, knownAccountId } = request
  const account = await passkeys.signIn(body.credential, browsers, ip, knownAccountId)
  if (request.account?.id !== account.id) await reply.signIn(account)
  return nextPage(request, body)
}
