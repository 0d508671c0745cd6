import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../../domain/accounts/account.js'
import { RESET_HOURS } from '../../../domain/accounts/password-sign-in.js'
import { accountTexts } from '../../../views/texts/account.js'
import { flashTexts } from '../../../views/texts/flash.js'
import { peopleTexts } from '../../../views/texts/people.js'
import { formPage } from '../form-page.js'
import { PageQuery, pageLinks, readPage } from '../list.js'
import { InvitationId, type RequestOf, TextField, type TypedApp } from '../params.js'
import { accountOf, onlyAdmins } from '../signed-in.js'
import { invitationRow } from './invitation-row.js'
import { mailInvitation } from './mail-invitation.js'
import { type PeoplePage, personRow } from './people-view.js'
import { OfPerson, type PersonRequest, personOf } from './person.js'

type Shown = Pick<PeoplePage, 'link' | 'linkTitle' | 'linkText' | 'mailed' | 'email' | 'error'> & {
  after?: string
  invitation?: string
}

/** Accounts and invitations per page. */
const PAGE = 100

const PeopleQuery = Type.Intersect([PageQuery, Type.Object({ invitation: Type.Optional(InvitationId()) })])
const Invite = { body: Type.Object({ email: TextField() }) }
const SetRole = {
  ...OfPerson,
  body: Type.Object({ role: Type.Union([Type.Literal('admin'), Type.Literal('member')]) }),
}
const OfInvitation = { params: Type.Object({ invitationId: InvitationId() }) }

/** All accounts of this service and the invitations to it, for administrators. */
export default async function peoplePages(app: TypedApp) {
  app.addHook('preValidation', onlyAdmins)
  const form = { load: accountOf, show: showPeople }

  app.get('/people', { schema: { querystring: PeopleQuery } }, (request, reply) =>
    showPeople(request, accountOf(request), reply, request.query),
  )
  app.post(
    '/people/invite',
    { schema: Invite },
    formPage({ ...form, change: invite, entered: ({ body }) => ({ email: body.email.trim() }) }),
  )
  app.post('/people/invitations/:invitationId/revoke', { schema: OfInvitation }, revoke)
  app.post('/people/:accountId/role', { schema: SetRole }, formPage({ ...form, change: setRole }))
  app.post('/people/:accountId/reset', { schema: OfPerson }, formPage({ ...form, change: resetPassword }))
}

async function invite({ server, body }: RequestOf<typeof Invite>, inviter: Account) {
  const email = body.email.trim()
  const token = await server.accounts.invitations.create(email || null, inviter.id)
  const { link: linkTitle, linkText } = peopleTexts
  const mailed = await mailInvitation(server, { to: email, token, inviter, isIntoSafe: false })
  // Shown only in this response, because only its hash is stored.
  return { link: `${server.config.baseUrl}/invite?token=${token}`, linkTitle, linkText, mailed }
}

async function revoke({ server, params }: RequestOf<typeof OfInvitation>, reply: FastifyReply) {
  await server.accounts.invitations.revoke(params.invitationId)
  reply.says({ text: flashTexts.invitationRevoked })
  return reply.redirect('/people', 303)
}

async function setRole(
  { server, params, body }: RequestOf<typeof SetRole>,
  _admin: Account,
  reply: FastifyReply,
) {
  await server.accounts.setRole(params.accountId, body.role)
  const other = body.role === 'admin' ? 'member' : 'admin'
  reply.says({
    text: flashTexts.personRole[body.role],
    undo: {
      path: `/people/${params.accountId}/role`,
      fields: [['role', other]],
    },
  })
  return '/people'
}

/** Creates a link to set a new password. */
async function resetPassword(request: PersonRequest) {
  const { accounts, config, mail } = request.server
  const { email, id } = await personOf(request)
  const token = await accounts.passwords.createResetToken(id)
  mail?.sendReset(email, token, RESET_HOURS)
  const { resetLink, resetText: linkText } = peopleTexts
  const link = `${config.baseUrl}/reset?token=${token}`
  return {
    link,
    linkTitle: resetLink(email),
    linkText,
    mailed: mail && accountTexts.notifications.mailed(email),
  }
}

async function showPeople(
  { server: { accounts } }: FastifyRequest,
  { id }: Account,
  reply: FastifyReply,
  { after, invitation, ...shown }: Shown,
) {
  const list = await readPage(PAGE, after, page => accounts.records.list(page))
  const isLastAdmin = await accounts.records.isLastAdmin(id)
  const pending = await readPage(PAGE, invitation, page => accounts.invitations.list(page))
  return reply.page<PeoplePage>('people', {
    here: 'people',
    accounts: list.items.map(account => personRow(account, id, isLastAdmin)),
    ...pageLinks('/people', list, after ?? invitation, ({ id }) => ({ after: id })),
    invitations: pending.items.map(item => invitationRow(item, '/people/invitations')),
    moreInvitations: pageLinks('/people', pending, invitation, ({ id }) => ({ invitation: id })).more,
    ...shown,
  })
}
