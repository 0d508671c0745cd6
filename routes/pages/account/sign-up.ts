import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { DomainError } from '../../../platform/common/domain-error.js'
import { accountTexts } from '../../../views/texts/account.js'
import { formPage } from '../form-page.js'
import { type RequestOf, TextField, type TypedApp } from '../params.js'
import { findLink, join, type Link } from './invitation-link.js'
import { showSignUp } from './sign-up-page.js'

const Show = { querystring: Type.Object({ token: Type.Optional(TextField()) }) }
const SignUp = { body: Type.Object({ token: TextField(), email: TextField(), password: Type.String() }) }
const Join = { body: Type.Object({ token: TextField() }) }

type SignUpRequest = RequestOf<typeof SignUp>

/** The pages behind one-time links: `/setup` for the first account, `/invite` for all others and for Safes. */
export default async function signUpPages(app: TypedApp) {
  const form = { show: showAgain, entered: ({ body }: SignUpRequest) => ({ email: body.email }) }
  const linkOf = (kind: Link['purpose']) => (request: SignUpRequest) =>
    findLink(request.server, kind, request.body.token)

  for (const kind of ['setup', 'invite'] as const) {
    app.get(`/${kind}`, { schema: Show }, async (request, reply) => {
      const { token = '' } = request.query
      return showSignUp(request, { link: await findLink(app, kind, token), token }, reply, {})
    })
    app.post(`/${kind}`, { schema: SignUp }, formPage({ ...form, load: linkOf(kind), change: signUp }))
  }
  app.post('/invite/join', { schema: Join }, joinSafe)
  app.post(
    '/invite/sign-in',
    { schema: SignUp },
    formPage({ ...form, load: linkOf('invite'), change: signIn }),
  )
}

async function signUp({ server, body }: SignUpRequest, link: Link, reply: FastifyReply) {
  const account = await server.accounts.invitations.accept(body.token, body.email, body.password)
  await reply.signIn(account)
  return join(server, body.token, link, account)
}

/** For people with an account who are not signed in. */
async function signIn(request: SignUpRequest, link: Link, reply: FastifyReply) {
  const { server, body, ip, knownAccountId } = request
  const account = await server.accounts.passwords.signIn(body.email, body.password, ip, knownAccountId)
  if (!account) throw new DomainError(400, 'wrong_password', accountTexts.login.wrong)
  await reply.signIn(account)
  return join(server, body.token, link, account)
}

/** For signed-in people. */
async function joinSafe({ server, body, account }: RequestOf<typeof Join>, reply: FastifyReply) {
  const link = await findLink(server, 'invite', body.token)
  if (!account) return reply.redirect(`/invite?token=${body.token}`, 303)
  return reply.redirect(await join(server, body.token, link, account), 303)
}

async function showAgain(
  request: SignUpRequest,
  link: Link,
  reply: FastifyReply,
  shown: { email?: string; error?: string },
) {
  return showSignUp(request, { link, token: request.body.token }, reply, shown)
}
