import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../../accounts/account.js'
import { RESET_HOURS } from '../../../accounts/accounts.js'
import { DomainError, notFound } from '../../../common/domain-error.js'
import { showTime } from '../../../common/format.js'
import { messages } from '../../../messages.js'
import type { Page } from '../../../plugins/views.js'
import { type Removal, removalOf } from '../account/removal.js'
import { TextField } from '../forms.js'
import { cut, PageQuery, pathWith } from '../list.js'
import { InvitationId, type InvitationRow, invitationRow } from '../safes/safe-share.js'
import { accountOf, onlyAdmins } from '../signed-in.js'
import { mailInvitation } from './mail-invitation.js'

declare module '../../../plugins/views.js' {
  interface Pages {
    people: PeoplePage
    'person-remove': RemovePersonPage
  }
}

interface PeoplePage extends Page {
  accounts: PersonRow[]
  /** Links to the next page and to the first one. */
  more: string | null
  first: string | null
  invitations: InvitationRow[]
  moreInvitations: string | null
  /** The link that has just been created, with its heading and explanation. */
  link?: string
  linkTitle?: string
  linkText?: string
  /** To whom it is sent by mail. */
  mailed?: string | null
  /** The entered value, to be corrected. */
  email?: string
}

interface PersonRow {
  email: string
  role: string
  since: string
  isSelf: boolean
  /** The other role, to change to. */
  change: { action: string; role: string; label: string; about: string }
  reset: { action: string; about: string }
  /** The page that asks. */
  remove: string
}

interface RemovePersonPage extends Page {
  title: string
  action: string
  removal: Removal
}

/** Accounts and invitations per page. */
const PAGE = 100

const InviteForm = Type.Object({ email: TextField() })
const PersonParams = Type.Object({ accountId: Type.String({ pattern: '^[0-9A-Za-z]{1,64}$' }) })
const RoleForm = Type.Object({ role: Type.Union([Type.Literal('admin'), Type.Literal('member')]) })
const InvitationParams = Type.Object({ invitationId: InvitationId() })
const PeopleQuery = Type.Intersect([PageQuery, Type.Object({ invitation: Type.Optional(InvitationId()) })])

type Shown = Pick<PeoplePage, 'link' | 'linkTitle' | 'linkText' | 'mailed' | 'email' | 'error'>

/** All accounts of this service and the invitations to it, for administrators. */
export default async function peoplePages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()
  app.addHook('preValidation', onlyAdmins)

  app.get('/people', { schema: { querystring: PeopleQuery } }, (request, reply) => showPeople(request, reply))

  app.post('/people/invite', { schema: { body: InviteForm } }, async (request, reply) => {
    const email = request.body.email.trim()
    return corrected(request, reply, { email }, async () => {
      const inviter = accountOf(request)
      const token = await app.accounts.createInvitation(email || null, inviter.id)
      const { link: linkTitle, linkText } = messages.people
      const mailed = await mailInvitation(app, { to: email, token, inviter, isIntoSafe: false })
      // Shown only in this response, because only its hash is stored.
      return { link: `${app.config.baseUrl}/invite?token=${token}`, linkTitle, linkText, mailed }
    })
  })

  app.post(
    '/people/invitations/:invitationId/revoke',
    { schema: { params: InvitationParams } },
    async (request, reply) => {
      await app.accounts.revokeInvitation(request.params.invitationId)
      return reply.redirect('/people', 303)
    },
  )

  app.post(
    '/people/:accountId/role',
    { schema: { params: PersonParams, body: RoleForm } },
    async (request, reply) =>
      corrected(request, reply, {}, async () => {
        await app.accounts.setRole(request.params.accountId, request.body.role)
        return null
      }),
  )

  app.post('/people/:accountId/reset', { schema: { params: PersonParams } }, async (request, reply) => {
    const { email, id } = await person(request.params.accountId)
    const token = await app.accounts.createResetToken(id)
    const { resetLink, resetText: linkText } = messages.people
    const link = `${app.config.baseUrl}/reset?token=${token}`
    app.mail?.sendReset(email, token, RESET_HOURS)
    const mailed = app.mail && messages.notifications.mailed(email)
    return showPeople(request, reply, { link, linkTitle: resetLink(email), linkText, mailed })
  })

  app.get('/people/:accountId/remove', { schema: { params: PersonParams } }, async (request, reply) =>
    showRemoval(reply, await person(request.params.accountId)),
  )

  app.post('/people/:accountId/remove', { schema: { params: PersonParams } }, async (request, reply) => {
    const account = await person(request.params.accountId)
    try {
      await app.accounts.remove(account.id)
    } catch (error) {
      if (!(error instanceof DomainError) || error.status === 404) throw error
      return showRemoval(reply.code(error.status), account, error.message)
    }
    return reply.redirect('/people', 303)
  })

  /** @throws notFound */
  async function person(accountId: string): Promise<Account> {
    const account = await app.accounts.find(accountId)
    if (!account) throw notFound('account')
    return account
  }

  async function showRemoval(reply: FastifyReply, { id, email }: Account, error?: string) {
    return reply.page('person-remove', {
      here: 'people',
      title: messages.people.removeTitle(email),
      action: `/people/${id}/remove`,
      removal: await removalOf(app, id),
      error,
    })
  }

  /** Carries out a change and shows the page again: with a link, with the error, or as it is now. */
  async function corrected(
    request: FastifyRequest,
    reply: FastifyReply,
    entered: Shown,
    change: () => Promise<Shown | null>,
  ) {
    try {
      const created = await change()
      if (created) return await showPeople(request, reply, created)
    } catch (error) {
      if (!(error instanceof DomainError) || error.status === 404) throw error
      return showPeople(request, reply.code(error.status), { ...entered, error: error.message })
    }
    return reply.redirect('/people', 303)
  }

  async function showPeople(request: FastifyRequest, reply: FastifyReply, shown: Shown = {}) {
    const { after, invitation } = request.query as { after?: string; invitation?: string }
    const list = cut(await app.accounts.list({ limit: PAGE + 1, ...(after ? { after } : {}) }), PAGE)
    const page = { limit: PAGE + 1, ...(invitation ? { after: invitation } : {}) }
    const pending = cut(await app.accounts.invitations(page), PAGE)
    const lastInvitation = pending.items.at(-1)?.id
    const { id } = accountOf(request)
    return reply.page('people', {
      here: 'people',
      accounts: list.items.map(account => personRow(account, id)),
      more: list.hasMore ? pathWith('/people', { after: list.items.at(-1)?.id }) : null,
      first: after || invitation ? '/people' : null,
      invitations: pending.items.map(item => invitationRow(item, '/people/invitations')),
      moreInvitations: pending.hasMore ? pathWith('/people', { invitation: lastInvitation }) : null,
      ...shown,
    })
  }
}

function personRow({ id, email, role, createdAt }: Account, self: string): PersonRow {
  const m = messages.people
  const other = role === 'admin' ? 'member' : 'admin'
  return {
    email,
    role: m.roles[role],
    since: m.since(showTime(createdAt)),
    isSelf: id === self,
    change: { action: `/people/${id}/role`, role: other, label: m.makes[other], about: m.of(email) },
    reset: { action: `/people/${id}/reset`, about: m.resetOf(email) },
    remove: `/people/${id}/remove`,
  }
}
