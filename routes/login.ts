import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { DomainError } from '../platform/common/domain-error.js'
import { accountTexts } from '../views/texts/account.js'
import { loginPage, NextFields, nextPage, showRefused } from './login-page.js'
import { acceptForms } from './pages/accept-forms.js'
import { formPage } from './pages/form-page.js'
import { type RequestOf, TextField, type TypedApp } from './pages/params.js'
import passkeyRoutes from './passkey.js'
import providerRoutes from './provider.js'

/** Large enough for a sealed request and the longest password. */
const FORM_BYTES = 32 * 1024

const Next = { querystring: Type.Object(NextFields) }

const SignIn = {
  body: Type.Object({
    email: TextField(),
    /** Not validated: any text that cannot be a password is simply incorrect. */
    password: Type.String(),
    ...NextFields,
  }),
}

type SignInRequest = RequestOf<typeof SignIn>

/** Signing in with a password, and signing out. */
export default async function loginRoutes(app: TypedApp) {
  await acceptForms(app, FORM_BYTES)

  await app.register(passkeyRoutes)
  await app.register(providerRoutes)

  const entered = ({ body }: SignInRequest) => ({ email: body.email })
  app.get('/login', { schema: Next }, showLogin)
  app.post(
    '/login',
    { schema: SignIn },
    formPage({ load: () => null, change: signIn, show: showRefused, entered }),
  )
  app.post('/logout', { schema: Next }, signOut)
}

async function showLogin(request: RequestOf<typeof Next>, reply: FastifyReply) {
  const next = request.query
  if (request.account) return reply.redirect(nextPage(request, next), 303)
  if (await request.server.accounts.records.isEmpty()) return reply.redirect('/', 303)
  return reply.page('login', loginPage(request, next))
}

async function signIn(request: SignInRequest, _subject: null, reply: FastifyReply) {
  const { server, body, ip, knownAccountId } = request
  const account = await server.accounts.passwords.signIn(body.email, body.password, ip, knownAccountId)
  if (!account) throw new DomainError(400, 'wrong_password', accountTexts.login.wrong)
  // Signing in again in a second tab keeps the session, so that the first tab still works (RULES C2).
  if (request.account?.id !== account.id) await reply.signIn(account)
  return nextPage(request, body)
}

async function signOut(request: RequestOf<typeof Next>, reply: FastifyReply) {
  await reply.signOut()
  const next = request.query.request
  return reply.redirect(next ? `/login?request=${next}` : '/login', 303)
}
