import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import { flashTexts } from '../../../views/texts/flash.js'
import { formPage } from '../form-page.js'
import { PageQuery, pageLinks, readPage } from '../list.js'
import { ownSafe, type SafeRequest } from '../own-safe.js'
import { InvitationId, type RequestOf, SafeParams, TextField, type TypedApp } from '../params.js'
import { invitationRow } from '../people/invitation-row.js'
import { mailInvitation } from '../people/mail-invitation.js'
import { accountOf } from '../signed-in.js'
import { safeHead } from './safe-head.js'
import { memberRow, type SafeSharePage } from './share-view.js'

interface ShareContent {
  after?: string
  invitation?: string
  /** The invitation link that has just been created, and the recipient of its mail. */
  link?: string
  mailed?: string | null
  error?: string
  email?: string
}

/** Members and invitations per page. */
const PAGE = 50

const RoleField = Type.Union([Type.Literal('owner'), Type.Literal('reader')])
const ShareQuery = Type.Intersect([PageQuery, Type.Object({ invitation: Type.Optional(InvitationId()) })])
/** The schema of a member's routes. */
export const OfMember = { params: Type.Object({ safeId: Type.String(), accountId: TextField(64) }) }
const Invite = { params: SafeParams, body: Type.Object({ email: TextField(), role: RoleField }) }
const ChangeRole = { ...OfMember, body: Type.Object({ role: RoleField }) }
const OfInvitation = { params: Type.Object({ safeId: Type.String(), invitationId: InvitationId() }) }

/** Who can read a Safe, for its owners: members, roles and invitations. */
export default async function safeSharePages(app: TypedApp) {
  const path = '/safes/:safeId/share'
  const form = { load: ownSafe, show: showShare }

  app.get(path, { schema: { params: SafeParams, querystring: ShareQuery } }, async (request, reply) =>
    showShare(request, await ownSafe(request), reply, request.query),
  )
  app.post(
    `${path}/invite`,
    { schema: Invite },
    formPage({ ...form, change: invite, entered: ({ body }) => ({ email: body.email.trim() }) }),
  )
  app.post(`${path}/members/:accountId`, { schema: ChangeRole }, formPage({ ...form, change: changeRole }))
  app.post(`${path}/invitations/:invitationId/revoke`, { schema: OfInvitation }, revoke)
}

async function invite(request: RequestOf<typeof Invite>, { id }: ReadableSafe) {
  const { accounts, config } = request.server
  const inviter = accountOf(request)
  const email = request.body.email.trim()
  const token = await accounts.invitations.create(email || null, inviter.id, { id, role: request.body.role })
  const mailed = await mailInvitation(request.server, { to: email, token, inviter, isIntoSafe: true })
  // Shown only in this response, because only its hash is stored.
  return { link: `${config.baseUrl}/invite?token=${token}`, mailed }
}

async function changeRole(request: RequestOf<typeof ChangeRole>, { id }: ReadableSafe, reply: FastifyReply) {
  const { accountId } = request.params
  const { role } = request.body
  const me = accountOf(request)
  await request.server.safes.members.changeRole(me.id, id, accountId, role)
  const other = role === 'owner' ? 'reader' : 'owner'
  const path = `/safes/${id}/share/members/${accountId}`
  // People who have made themselves readers can no longer change that.
  const fields: [string, string][] = [['role', other]]
  reply.says({
    text: flashTexts.role[role],
    undo: accountId === me.id ? undefined : { path, fields },
  })
  return afterChange(request)
}

async function revoke(request: RequestOf<typeof OfInvitation>, reply: FastifyReply) {
  const { id } = await ownSafe(request)
  await request.server.accounts.invitations.revoke(request.params.invitationId, id)
  reply.says({ text: flashTexts.invitationRevoked })
  return reply.redirect(`/safes/${id}/share`, 303)
}

/** The page after a change of the members: people who are no longer owners cannot see this page. */
export async function afterChange(request: SafeRequest): Promise<string> {
  const { safeId } = request.params
  const left = await request.server.safes.membership(accountOf(request).id, safeId)
  if (!left) return '/safes'
  return left.role === 'owner' ? `/safes/${safeId}/share` : `/safes/${safeId}`
}

/** Shows who can read a Safe; after a change, with the new link or the reason for a refusal. */
export async function showShare(
  request: SafeRequest,
  safe: ReadableSafe,
  reply: FastifyReply,
  { after, invitation, ...shown }: ShareContent,
) {
  const { safes, accounts } = request.server
  const { id } = accountOf(request)
  const path = `/safes/${safe.id}/share`
  const members = await readPage(PAGE, after, page => safes.members.people(id, safe.id, page))
  const isOnlyOwner = await safes.removal.isOnlyOwner(id, safe.id)
  const pending = await readPage(PAGE, invitation, page =>
    accounts.invitations.list({ ...page, safeId: safe.id }),
  )
  return reply.page<SafeSharePage>('safe-share', {
    here: 'safes',
    head: safeHead(safe, 'share'),
    members: members.items.map(member => memberRow(member, path, id, isOnlyOwner)),
    ...pageLinks(path, members, after ?? invitation, ({ accountId }) => ({ after: accountId })),
    invitations: pending.items.map(item => invitationRow(item, `${path}/invitations`)),
    moreInvitations: pageLinks(path, pending, invitation, ({ id }) => ({ invitation: id })).more,
    invite: `${path}/invite`,
    ...shown,
  })
}
