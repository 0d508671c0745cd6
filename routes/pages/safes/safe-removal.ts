import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import { sizeTexts } from '../../../domain/safes/size-text.js'
import { DomainError } from '../../../platform/common/domain-error.js'
import { flashTexts } from '../../../views/texts/flash.js'
import { safesTexts } from '../../../views/texts/safes.js'
import { formPage } from '../form-page.js'
import { cut } from '../list.js'
import { ownSafe, type SafeRequest } from '../own-safe.js'
import { type RequestOf, SafeParams, TextField, type TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'
import { safeHead } from './safe-head.js'

/** Maximum members counted exactly. */
const MEMBERS_COUNTED = 100

/** Programs may leave out the name, which people type to confirm. */
const Remove = { params: SafeParams, body: Type.Object({ name: Type.Optional(TextField()) }) }

/** Removing a Safe, and restoring it. */
export default async function safeRemovalPages(app: TypedApp) {
  app.get('/safes/:safeId/remove', { schema: { params: SafeParams } }, async (request, reply) =>
    showRemoval(request, await ownSafe(request), reply, {}),
  )
  app.post(
    '/safes/:safeId/remove',
    { schema: Remove },
    formPage({ load: ownSafe, change: remove, show: showRemoval }),
  )
  app.post('/safes/:safeId/restore', { schema: { params: SafeParams } }, restore)
}

async function remove(request: RequestOf<typeof Remove>, { id, name }: ReadableSafe, reply: FastifyReply) {
  const typed = request.body.name
  if (typed !== undefined && typed.trim() !== name)
    throw new DomainError(400, 'other_name', safesTexts.removal.otherName)
  await request.server.safes.removal.remove(accountOf(request).id, id)
  reply.says({ text: flashTexts.removed(name), undo: { path: `/safes/${id}/restore` } })
  return '/safes'
}

/** A removed Safe has no page, so the domain checks who owned it. */
async function restore(request: SafeRequest, reply: FastifyReply) {
  const { safeId } = request.params
  await request.server.safes.removal.restore(accountOf(request).id, safeId)
  reply.says({ text: flashTexts.restored })
  return reply.redirect(`/safes/${safeId}`, 303)
}

async function showRemoval(
  request: SafeRequest,
  safe: ReadableSafe,
  reply: FastifyReply,
  { error }: { error?: string },
) {
  const { id } = accountOf(request)
  const head = safeHead(safe, 'settings', false)
  const { items, hasMore } = cut(
    await request.server.safes.members.list(id, safe.id, { limit: MEMBERS_COUNTED + 1 }),
    MEMBERS_COUNTED,
  )
  return reply.page('safe-remove', {
    here: 'safes',
    head,
    counts: sizeTexts(safe.counts),
    members: safesTexts.removal.members(items.length - 1, hasMore),
    action: `${head.path}/remove`,
    error,
  })
}
