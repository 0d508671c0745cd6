import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PendingInvitation } from '../../../accounts/invitation.js'
import { DomainError, notFound } from '../../../common/domain-error.js'
import { showTime } from '../../../common/format.js'
import { messages } from '../../../messages.js'
import type { Page } from '../../../plugins/views.js'
import { safeErrors } from '../../../safes/errors.js'
import type { Member, ReadableSafe } from '../../../safes/safe.js'
import { TextField } from '../forms.js'
import { cut, PageQuery, pathWith } from '../list.js'
import { mailInvitation } from '../people/mail-invitation.js'
import { accountOf } from '../signed-in.js'
import { type SafeHead, safeHead } from './safe-head.js'

declare module '../../../plugins/views.js' {
  interface Pages {
    'safe-share': SafeSharePage
    'member-remove': MemberRemovePage
  }
}

/** The view model of `views/member-remove.eta`. */
interface MemberRemovePage extends Page {
  head: SafeHead
  title: string
  /** What goes. */
  text: string
  action: string
  yes: string
}

/** The view model of `views/safe-share.eta`. */
interface SafeSharePage extends Page {
  head: SafeHead
  members: MemberRow[]
  more: string | null
  first: string | null
  invitations: InvitationRow[]
  moreInvitations: string | null
  /** The action of the form that invites. */
  invite: string
  /** The invitation link that has just been created. */
  link?: string
  /** To whom it is sent by mail. */
  mailed?: string | null
  /** The entered value, to be corrected. */
  email?: string
}

interface MemberRow {
  email: string
  isSelf: boolean
  role: string
  /** The other role, to change to. */
  change: { action: string; role: string; label: string; about: string }
  /** The page that asks. */
  remove: { path: string; label: string; about: string }
  /** Since when, and who invited. */
  facts: string
}

/** An invitation that has not been used. */
export interface InvitationRow {
  email: string
  role: string | null
  facts: string
  revoke: string
  /** Completes the label of its button. */
  about: string
}

/** Members and invitations per page. */
const PAGE = 50

const RoleField = Type.Union([Type.Literal('owner'), Type.Literal('reader')])
const SafeParams = Type.Object({ safeId: Type.String() })
const MemberParams = Type.Object({ safeId: Type.String(), accountId: TextField(64) })
const InvitationParams = Type.Object({ safeId: Type.String(), invitationId: InvitationId() })
const ShareQuery = Type.Intersect([PageQuery, Type.Object({ invitation: Type.Optional(InvitationId()) })])
const InviteForm = Type.Object({ email: TextField(), role: RoleField })
const RoleForm = Type.Object({ role: RoleField })

/** The id of an invitation. Those of earlier versions are hashes. */
export function InvitationId() {
  return Type.String({ pattern: '^[\\w-]{1,64}$' })
}

/** Who can read a Safe, for its owners: members, roles and invitations. */
export default async function safeSharePages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()

  app.get(
    '/safes/:safeId/share',
    { schema: { params: SafeParams, querystring: ShareQuery } },
    async (request, reply) => show(request, reply, await ownSafe(request, request.params.safeId)),
  )

  app.post(
    '/safes/:safeId/share/invite',
    { schema: { params: SafeParams, body: InviteForm } },
    async (request, reply) => {
      const safe = await ownSafe(request, request.params.safeId)
      const { role } = request.body
      const email = request.body.email.trim()
      return corrected(request, reply, safe, { email }, async () => {
        const inviter = accountOf(request)
        const token = await app.accounts.createInvitation(email || null, inviter.id, { id: safe.id, role })
        const mailed = await mailInvitation(app, { to: email, token, inviter, isIntoSafe: true })
        // Shown only in this response, because only its hash is stored.
        return { link: `${app.config.baseUrl}/invite?token=${token}`, mailed }
      })
    },
  )

  app.post(
    '/safes/:safeId/share/members/:accountId',
    { schema: { params: MemberParams, body: RoleForm } },
    async (request, reply) => {
      const { safeId, accountId } = request.params
      const safe = await ownSafe(request, safeId)
      return corrected(request, reply, safe, {}, async () => {
        await app.safes.changeRole(accountOf(request).id, safeId, accountId, request.body.role)
        return null
      })
    },
  )

  app.get(
    '/safes/:safeId/share/members/:accountId/remove',
    { schema: { params: MemberParams } },
    async (request, reply) => {
      const { safeId, accountId } = request.params
      const safe = await ownSafe(request, safeId)
      const member = await app.safes.membership(accountId, safeId)
      const account = member && (await app.accounts.find(accountId))
      if (!account) throw notFound('member')
      const m = messages.share
      const isSelf = accountId === accountOf(request).id
      return reply.page('member-remove', {
        here: 'safes',
        head: safeHead(safe, 'share', false),
        title: isSelf ? m.leaveTitle(safe.name) : m.removeTitle(account.email, safe.name),
        text: isSelf ? m.leaveText : m.removeText,
        action: `/safes/${safeId}/share/members/${accountId}/remove`,
        yes: isSelf ? m.leaveYes : m.removeYes,
      })
    },
  )

  app.post(
    '/safes/:safeId/share/members/:accountId/remove',
    { schema: { params: MemberParams } },
    async (request, reply) => {
      const { safeId, accountId } = request.params
      const safe = await ownSafe(request, safeId)
      return corrected(request, reply, safe, {}, async () => {
        await app.safes.unshare(accountOf(request).id, safeId, accountId)
        return null
      })
    },
  )

  app.post(
    '/safes/:safeId/share/invitations/:invitationId/revoke',
    { schema: { params: InvitationParams } },
    async (request, reply) => {
      const { safeId, invitationId } = request.params
      const safe = await ownSafe(request, safeId)
      await app.accounts.revokeInvitation(invitationId, safe.id)
      return reply.redirect(`/safes/${safeId}/share`, 303)
    },
  )

  /** Carries out a change and shows the page again: with its link, its error, or as it is now. */
  async function corrected(
    request: FastifyRequest,
    reply: FastifyReply,
    safe: ReadableSafe,
    entered: { email?: string },
    change: () => Promise<{ link: string; mailed: string | null } | null>,
  ) {
    try {
      const created = await change()
      if (created) return await show(request, reply, safe, created)
    } catch (error) {
      if (!(error instanceof DomainError) || error.status === 404) throw error
      return show(request, reply.code(error.status), safe, { ...entered, error: error.message })
    }
    // Whoever is no longer an owner cannot see the page.
    const left = await app.safes.membership(accountOf(request).id, safe.id)
    const path = left ? `/safes/${safe.id}` : '/safes'
    return reply.redirect(left?.role === 'owner' ? `${path}/share` : path, 303)
  }

  /** @throws notFound for non-members, 403 for readers */
  async function ownSafe(request: FastifyRequest, safeId: string): Promise<ReadableSafe> {
    const safe = await app.safes.find(accountOf(request).id, safeId)
    if (!safe) throw notFound('Safe')
    if (safe.role !== 'owner') throw safeErrors.ownerOnly()
    return safe
  }

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    safe: ReadableSafe,
    shown: { link?: string; mailed?: string | null; error?: string; email?: string } = {},
  ) {
    const { after, invitation } = request.query as { after?: string; invitation?: string }
    const { id } = accountOf(request)
    const path = `/safes/${safe.id}/share`
    const page = { limit: PAGE + 1, ...(after ? { after } : {}) }
    const members = cut(await app.safes.people(id, safe.id, page), PAGE)
    const pending = cut(
      await app.accounts.invitations({
        safeId: safe.id,
        limit: PAGE + 1,
        ...(invitation ? { after: invitation } : {}),
      }),
      PAGE,
    )
    const lastMember = members.items.at(-1)?.accountId
    const lastInvitation = pending.items.at(-1)?.id
    return reply.page('safe-share', {
      here: 'safes',
      head: safeHead(safe, 'share'),
      members: members.items.map(member => memberRow(member, path, id)),
      more: members.hasMore ? pathWith(path, { after: lastMember }) : null,
      first: after || invitation ? path : null,
      invitations: pending.items.map(item => invitationRow(item, `${path}/invitations`)),
      moreInvitations: pending.hasMore ? pathWith(path, { invitation: lastInvitation }) : null,
      invite: `${path}/invite`,
      ...shown,
    })
  }
}

function memberRow(
  { accountId, email, role, since, inviter }: Member,
  path: string,
  self: string,
): MemberRow {
  const m = messages.share
  const other = role === 'owner' ? 'reader' : 'owner'
  const action = `${path}/members/${accountId}`
  const facts = [messages.people.since(showTime(since)), inviter ? m.invitedBy(inviter) : null]
  return {
    email,
    isSelf: accountId === self,
    role: m.roles[role],
    change: { action, role: other, label: m.makes[other], about: m.of(email) },
    remove: { path: `${action}/remove`, label: accountId === self ? m.leave : m.remove, about: email },
    facts: facts.filter(Boolean).join(' · '),
  }
}

/** A pending invitation, for the page of a Safe and for administrators. */
export function invitationRow(
  { id, email, safe, inviter, expiresAt }: PendingInvitation,
  path: string,
): InvitationRow {
  const m = messages.share
  const facts = [inviter ? m.invitedBy(inviter) : null, m.expires(showTime(expiresAt))]
  return {
    email: email ?? m.anybody,
    role: safe && m.roles[safe.role],
    facts: facts.filter(Boolean).join(' · '),
    revoke: `${path}/${id}/revoke`,
    about: email === null ? m.ofLink : m.forEmail(email),
  }
}
