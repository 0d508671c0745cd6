import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { messages } from '../messages.js'
import { failureOf } from '../plugins/errors.js'
import type { Page } from '../plugins/views.js'
import { acceptForms, TextField } from './pages/forms.js'
import { SealedText } from './pages/sealed-text.js'

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

declare module '../plugins/views.js' {
  interface Pages {
    login: LoginPage
  }
}

interface LoginPage extends Page {
  email?: string
  /** The authorization request that waits for the sign-in. */
  request: string | undefined
  /** The page or form that waits for it. */
  form: string | undefined
  /** What became of the form. */
  notice: string | null
  /** Links to reset a password are sent by mail. */
  sendsResetLinks: boolean
}

type Login = Static<typeof LoginForm>

export default async function loginRoutes(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()
  await acceptForms(root, FORM_BYTES)

  app.get('/login', { schema: { querystring: LoginQuery } }, async (request, reply) => {
    const next = request.query
    if (request.account) return reply.redirect(nextPage(request, next), 303)
    if (await app.accounts.isEmpty()) return reply.redirect('/', 303)
    return reply.page('login', loginPage(request, next))
  })

  app.post('/login', { schema: { body: LoginForm } }, async (request, reply) => {
    const { email, password } = request.body
    try {
      const account = await app.accounts.signIn(email, password, request.ip, request.knownAccountId)
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

/** What waits for the sign-in. */
type Next = Pick<Login, 'request' | 'form'>

function nextPage(request: FastifyRequest, next: Next): string {
  if (next.request) return `/oauth/consent/${next.request}${next.form ? `?form=${next.form}` : ''}`
  const form = next.form ? request.openKeptForm(next.form) : null
  if (!form) return '/'
  return form.method === 'GET' ? form.path : `/continue?form=${next.form}`
}

function loginPage(request: FastifyRequest, next: Next): LoginPage {
  const { sessionEnded, filesLost } = messages.login
  const form = next.form ? request.openKeptForm(next.form) : null
  const notice = form?.lostFiles ? filesLost : form?.method === 'POST' ? sessionEnded : null
  return { request: next.request, form: next.form, notice, sendsResetLinks: request.server.mail !== null }
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
