import type { FastifyReply } from 'fastify'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import { notFound } from '../../../platform/common/domain-error.js'
import { flashTexts } from '../../../views/texts/flash.js'
import { safesTexts } from '../../../views/texts/safes.js'
import { formPage } from '../form-page.js'
import { ownSafe } from '../own-safe.js'
import type { RequestOf, TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'
import { safeHead } from './safe-head.js'
import { afterChange, OfMember, showShare } from './safe-share.js'

type MemberRequest = RequestOf<typeof OfMember>

/** Removing a member of a Safe, after a confirmation page. */
export default async function memberRemovalPages(app: TypedApp) {
  const path = '/safes/:safeId/share/members/:accountId/remove'

  app.get(path, { schema: OfMember }, askRemoval)
  app.post(path, { schema: OfMember }, formPage({ load: ownSafe, change: remove, show: showShare }))
}

async function askRemoval(request: MemberRequest, reply: FastifyReply) {
  const { safes, accounts } = request.server
  const { accountId } = request.params
  const safe = await ownSafe(request)
  const member = await safes.membership(accountId, safe.id)
  const account = member && (await accounts.find(accountId))
  if (!account) throw notFound('member')
  const m = safesTexts.share
  const isSelf = accountId === accountOf(request).id
  return reply.page('member-remove', {
    here: 'safes',
    head: safeHead(safe, 'share', false),
    title: isSelf ? m.leaveTitle(safe.name) : m.removeTitle(account.email, safe.name),
    text: isSelf ? m.leaveText : m.removeText,
    action: `/safes/${safe.id}/share/members/${accountId}/remove`,
    yes: isSelf ? m.leaveYes : m.removeYes,
  })
}

async function remove(request: MemberRequest, { id, name }: ReadableSafe, reply: FastifyReply) {
  const { accountId } = request.params
  const me = accountOf(request)
  await request.server.safes.members.unshare(me.id, id, accountId)
  const m = flashTexts
  reply.says({ text: accountId === me.id ? m.left(name) : m.memberRemoved })
  return afterChange(request)
}
