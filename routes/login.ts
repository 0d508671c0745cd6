import { type Static, Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { messages } from '../messages.js'
import { failureOf } from '../plugins/errors.js'
import { loginPage, nextPage } from './login-page.js'
import { acceptForms } from './pages/accept-forms.js'
import { TextField, type TypedApp } from './pages/params.js'
import { SealedText } from './pages/sealed-text.js'
import passkeyRoutes from './passkey.js'
import providerRoutes from './provider.js'

/** Large enough for a sealed request and the longest password. */
const FORM_BYTES = 32 * 1024

/** What to continue with: an authorization request, or a page or form. Both: what was ticked for the request. */
const LoginQuery = Type.Object({ request: Type.Optional(SealedText), form: Type.Optional(SealedText) })

const LoginForm = Type.Object({
  email: TextField(),
  /** Not validated: any text that cannot be a password is simply incorrect. */
  password: Type.String(),
  request: Type.Optional(SealedText),
  form: Type.Optional(SealedText),
})

type Login = Static<typeof LoginForm>

export default async function loginRoutes(app: TypedApp) {
  await acceptForms(app, FORM_BYTES)

  await app.register(passkeyRoutes)
  await app.register(providerRoutes)

  app.get('/login', { schema: { querystring: LoginQuery } }, async (request, reply) => {
    const next = request.query
    if (request.account) return reply.redirect(nextPage(request, next), 303)
    if (await app.accounts.isEmpty()) return reply.redirect('/', 303)
    return reply.page('login', loginPage(request, next))
  })

  app.post('/login', { schema: { body: LoginForm } }, async (request, reply) => {
    const { email, password } = request.body
    try {
      const account = await app.accounts.passwords.signIn(email, password, request.ip, request.knownAccountId)
      if (!account) return showError(request, reply, 400, messages.login.wrong)
      // Signing in again in a second tab keeps the session, so that the first tab still works (RULES C2).
      if (request.account?.id !== account.id) await reply.signIn(account)
    } catch (error) {
      const { status, message, retryAfter } = failureOf(error)
      if (status !== 429) throw error
      return showError(request, reply.header('Retry-After', retryAfter), status, message)
    }
    return reply.redirect(nextPage(request, request.body), 303)
  })

  app.post('/logout', { schema: { querystring: LoginQuery } }, async (request, reply) => {
    await reply.signOut()
    const next = request.query.request
    return reply.redirect(next ? `/login?request=${next}` : '/login', 303)
  })
}

function showError(
  request: FastifyRequest<{ Body: Login }>,
  reply: FastifyReply,
  status: number,
  error: string,
) {
  const { email } = request.body
  return reply.code(status).page('login', { ...loginPage(request, request.body), error, email })
}
