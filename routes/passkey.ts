import { Type } from '@sinclair/typebox'
import { DomainError } from '../common/domain-error.js'
import { loginPage, nextPage } from './login-page.js'
import type { TypedApp } from './pages/params.js'
import { SealedText } from './pages/sealed-text.js'

const PasskeyForm = Type.Object({
  /** JSON of the browser's answer. */
  credential: Type.String(),
  request: Type.Optional(SealedText),
  form: Type.Optional(SealedText),
})

/** Signing in with a passkey (ADR 64). */
export default async function passkeyRoutes(app: TypedApp) {
  const { passkeys } = app
  if (!passkeys) return

  app.get('/login/passkey', async (request, reply) =>
    reply.header('Cache-Control', 'no-store').send(passkeys.requestOptions(request.browser)),
  )

  app.post('/login/passkey', { schema: { body: PasskeyForm } }, async (request, reply) => {
    const { credential, ...next } = request.body
    const { browsers, ip, knownAccountId } = request
    try {
      const account = await passkeys.signIn(credential, browsers, ip, knownAccountId)
      if (request.account?.id !== account.id) await reply.signIn(account)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      if (error.retryAfter) reply.header('Retry-After', error.retryAfter)
      return reply.code(error.status).page('login', { ...loginPage(request, next), error: error.message })
    }
    return reply.redirect(nextPage(request, next), 303)
  })
}
