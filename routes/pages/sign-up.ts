import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { DomainError } from '../../common/domain-error.js'
import { messages } from '../../messages.js'
import type { Page } from '../../plugins/views.js'
import { TextField } from './forms.js'

declare module '../../plugins/views.js' {
  interface Pages {
    'sign-up': SignUpPage
  }
}

interface SignUpPage extends Page {
  words: { title: string; lead: string; submit: string }
  action: string
  token: string
  email: string
  /** The invitation is for this address only. */
  fixedEmail: boolean
}

const LinkQuery = Type.Object({ token: Type.Optional(TextField()) })

const SignUpForm = Type.Object({
  token: TextField(),
  email: TextField(),
  password: Type.String(),
})

/** The pages behind one-time links: `/setup` for the first account, `/invite` for all others. */
export default async function signUpPages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()

  for (const kind of ['setup', 'invite'] as const) {
    app.get(`/${kind}`, { schema: { querystring: LinkQuery } }, async (request, reply) => {
      const token = request.query.token ?? ''
      return showForm(reply, kind, token, await findLink(kind, token))
    })

    app.post(`/${kind}`, { schema: { body: SignUpForm } }, async (request, reply) => {
      const { token, email, password } = request.body
      const link = await findLink(kind, token)
      try {
        await reply.signIn(await app.accounts.acceptInvitation(token, email, password))
      } catch (error) {
        if (!(error instanceof DomainError) || error.status === 410) throw error
        reply.code(error.status)
        return showForm(reply, kind, token, link, { error: error.message, email })
      }
      return reply.redirect('/', 303)
    })
  }

  async function findLink(kind: 'setup' | 'invite', token: string) {
    const link = await app.accounts.findInvitation(token)
    if (link?.purpose === kind) return link
    throw new DomainError(410, 'link_used', messages.invite.used)
  }
}

function showForm(
  reply: FastifyReply,
  kind: 'setup' | 'invite',
  token: string,
  link: { email: string | null },
  again: { error?: string; email?: string } = {},
) {
  return reply.page('sign-up', {
    words: messages[kind],
    action: `/${kind}`,
    token,
    fixedEmail: link.email !== null,
    email: link.email ?? '',
    ...again,
  })
}
