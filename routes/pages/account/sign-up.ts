import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../../accounts/account.js'
import { DomainError } from '../../../common/domain-error.js'
import { messages } from '../../../messages.js'
import type { Page } from '../../../plugins/views.js'
import { pathAfterReset } from '../connections/recent-connections.js'
import { TextField } from '../params.js'

declare module '../../../plugins/views.js' {
  interface Pages {
    'sign-up': SignUpPage
    reset: ResetPage
  }
}

interface SignUpPage extends Page {
  words: { title: string; lead: string; submit: string }
  action: string
  token: string
  email: string
  /** The invitation is for this address only. */
  fixedEmail: boolean
  /** The Safe that the link also opens, or null. */
  safe: { text: string; role: string } | null
  /** The button that leads to the OpenID provider, or null. */
  provider: string | null
  /** Whoever has no account can make one. */
  admitsNew: boolean
  /** The account that can join the Safe right away, or null. */
  signedInAs: string | null
}

interface ResetPage extends Page {
  token: string
}

type Link = NonNullable<Awaited<ReturnType<FastifyInstance['accounts']['findInvitation']>>>
type Kind = 'setup' | 'invite'

const LinkQuery = Type.Object({ token: Type.Optional(TextField()) })
const SignUpForm = Type.Object({ token: TextField(), email: TextField(), password: Type.String() })
const JoinForm = Type.Object({ token: TextField() })
const ResetForm = Type.Object({ token: TextField(), password: Type.String() })

/**
 * The pages behind one-time links: `/setup` for the first account, `/invite` for all others and for Safes, `/reset`
 * for a new password.
 */
export default async function signUpPages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()

  for (const kind of ['setup', 'invite'] as const) {
    app.get(`/${kind}`, { schema: { querystring: LinkQuery } }, async (request, reply) => {
      const token = request.query.token ?? ''
      return showForm(request, reply, kind, token, await findLink(kind, token))
    })

    app.post(`/${kind}`, { schema: { body: SignUpForm } }, async (request, reply) => {
      const { token, email, password } = request.body
      const link = await findLink(kind, token)
      try {
        const account = await app.accounts.acceptInvitation(token, email, password)
        await reply.signIn(account)
        return await join(reply, token, link, account)
      } catch (error) {
        return showError(error, request, reply, token, link, email)
      }
    })
  }

  /** For who is signed in. */
  app.post('/invite/join', { schema: { body: JoinForm } }, async (request, reply) => {
    const { token } = request.body
    const link = await findLink('invite', token)
    if (!request.account) return reply.redirect(`/invite?token=${token}`, 303)
    return join(reply, token, link, request.account)
  })

  /** For who has an account but is not signed in. */
  app.post('/invite/sign-in', { schema: { body: SignUpForm } }, async (request, reply) => {
    const { token, email, password } = request.body
    const link = await findLink('invite', token)
    try {
      const account = await app.accounts.signIn(email, password, request.ip, request.knownAccountId)
      if (!account) throw new DomainError(400, 'wrong_password', messages.login.wrong)
      await reply.signIn(account)
      return await join(reply, token, link, account)
    } catch (error) {
      return showError(error, request, reply, token, link, email)
    }
  })

  app.get('/reset', { schema: { querystring: LinkQuery } }, async (request, reply) => {
    const token = request.query.token ?? ''
    await findLink('reset', token)
    return reply.page('reset', { token })
  })

  app.post('/reset', { schema: { body: ResetForm } }, async (request, reply) => {
    const { token, password } = request.body
    try {
      const account = await app.accounts.resetPassword(token, password)
      await reply.signIn(account)
      return reply.redirect(await pathAfterReset(app, account.id), 303)
    } catch (error) {
      if (!(error instanceof DomainError) || error.status === 410) throw error
      return reply.code(error.status).page('reset', { token, error: error.message })
    }
  })

  async function findLink(kind: Link['purpose'], token: string): Promise<Link> {
    const link = await app.accounts.findInvitation(token)
    if (link?.purpose === kind) return link
    throw new DomainError(410, 'link_used', messages.invite.used)
  }

  /** Adds the account to the Safe of the link, if it has one, and leads there. */
  async function join(reply: FastifyReply, token: string, { safe }: Link, account: Account) {
    if (!safe) return reply.redirect('/', 303)
    await app.safes.join(safe.id, token, account)
    return reply.redirect(`/safes/${safe.id}`, 303)
  }

  function showError(
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
    token: string,
    link: Link,
    email: string,
  ) {
    if (!(error instanceof DomainError) || error.status === 410) throw error
    if (error.retryAfter) reply.header('Retry-After', error.retryAfter)
    const kind = link.purpose === 'setup' ? 'setup' : 'invite'
    return showForm(request, reply.code(error.status), kind, token, link, { error: error.message, email })
  }

  async function showForm(
    request: FastifyRequest,
    reply: FastifyReply,
    kind: Kind,
    token: string,
    link: Link,
    again: { error?: string; email?: string } = {},
  ) {
    return reply.page('sign-up', {
      words: messages[kind],
      action: `/${kind}`,
      token,
      fixedEmail: link.email !== null,
      email: link.email ?? '',
      safe: await safeOf(link),
      admitsNew: link.admitsNew,
      provider: app.providerSignIn && messages.login.provider(app.providerSignIn.name),
      signedInAs: link.safe ? (request.account?.email ?? null) : null,
      ...again,
    })
  }

  async function safeOf({ safe, invitedBy }: Link): Promise<SignUpPage['safe']> {
    const name = safe && (await app.safes.nameForInvitation(safe.id))
    if (!safe || name === null) return null
    const inviter = invitedBy === null ? null : await app.accounts.find(invitedBy)
    const { intoSafe, asRole } = messages.invite
    return { text: intoSafe(name, inviter?.email ?? null), role: asRole[safe.role] }
  }
}
