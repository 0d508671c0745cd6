import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { DomainError } from '../../common/domain-error.js'
import { showTime } from '../../common/format.js'
import { messages } from '../../messages.js'
import type { Page } from '../../plugins/views.js'
import { TextField } from './forms.js'
import { cut, PageQuery, pathWith } from './paging.js'
import { onlyAdmins } from './signed-in.js'

declare module '../../plugins/views.js' {
  interface Pages {
    people: PeoplePage
  }
}

interface PeoplePage extends Page {
  accounts: { email: string; role: string; since: string }[]
  /** Links to the next page and to the first one. */
  more: string | null
  first: string | null
  /** The invitation link that has just been created. */
  link?: string
  /** The entered value, to be corrected. */
  email?: string
}

/** Accounts per page. */
const PAGE = 100

const InviteForm = Type.Object({ email: TextField() })

/** All accounts of this service, for administrators. */
export default async function peoplePages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()
  app.addHook('preValidation', onlyAdmins)

  app.get('/people', { schema: { querystring: PageQuery } }, (request, reply) =>
    showPeople(app, reply, {}, request.query.after),
  )

  app.post('/people/invite', { schema: { body: InviteForm } }, async (request, reply) => {
    const email = request.body.email.trim()
    try {
      const token = await app.accounts.createInvitation(email || null)
      // Shown only in this response, because only its hash is stored.
      return showPeople(app, reply, { link: `${app.config.baseUrl}/invite?token=${token}` })
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      return showPeople(app, reply.code(error.status), { error: error.message, email })
    }
  })
}

async function showPeople(
  app: FastifyInstance,
  reply: FastifyReply,
  shown: { link?: string; error?: string; email?: string } = {},
  after?: string,
) {
  const list = cut(await app.accounts.list({ limit: PAGE + 1, ...(after ? { after } : {}) }), PAGE)
  const more = list.hasMore ? pathWith('/people', { after: list.items.at(-1)?.id }) : null
  const { roles, since } = messages.people
  const accounts = list.items.map(({ email, role, createdAt }) => ({
    email,
    role: roles[role],
    since: since(showTime(createdAt)),
  }))
  const first = after ? '/people' : null
  return reply.page('people', { here: 'people', accounts, more, first, ...shown })
}
