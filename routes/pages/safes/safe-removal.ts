import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { messages } from '../../../messages.js'
import type { Page } from '../../../plugins/views.js'
import { TextField } from '../forms.js'
import { cut } from '../list.js'
import { ownSafe } from '../own-safe.js'
import { accountOf } from '../signed-in.js'
import { countsOf } from './counts.js'
import { type SafeHead, safeHead } from './safe-head.js'

declare module '../../../plugins/views.js' {
  interface Pages {
    'safe-remove': RemoveSafePage
  }
}

interface RemoveSafePage extends Page {
  head: SafeHead
  /** What goes. */
  counts: string[]
  members: string
  action: string
}

/** Members counted exactly. */
const MEMBERS_COUNTED = 100

const SafeParams = Type.Object({ safeId: Type.String() })
/** Programs may leave out the name, which people type to confirm. */
const RemoveForm = Type.Object({ name: Type.Optional(TextField()) })

/** Removing a Safe, and restoring it. */
export default async function safeRemovalPages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()

  app.get('/safes/:safeId/remove', { schema: { params: SafeParams } }, (request, reply) =>
    showRemove(app, request, reply, request.params.safeId),
  )

  app.post(
    '/safes/:safeId/remove',
    { schema: { params: SafeParams, body: RemoveForm } },
    async (request, reply) => {
      const { safeId } = request.params
      const safe = await ownSafe(app, request, safeId)
      if (!isConfirmed(request.body, safe.name))
        return showRemove(app, request, reply.code(400), safeId, messages.safeRemoval.otherName)
      await app.safes.remove(accountOf(request).id, safeId)
      return reply.redirect('/safes', 303)
    },
  )

  app.post('/safes/:safeId/restore', { schema: { params: SafeParams } }, async (request, reply) => {
    const { safeId } = request.params
    await app.safes.restore(accountOf(request).id, safeId)
    return reply.redirect(`/safes/${safeId}`, 303)
  })
}

const isConfirmed = (form: Static<typeof RemoveForm>, name: string) =>
  form.name === undefined || form.name.trim() === name

async function showRemove(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  safeId: string,
  error?: string,
) {
  const safe = await ownSafe(app, request, safeId)
  const head = safeHead(safe, 'settings', false)
  const listed = await app.safes.members(accountOf(request).id, safeId, { limit: MEMBERS_COUNTED + 1 })
  const { items, hasMore } = cut(listed, MEMBERS_COUNTED)
  return reply.page('safe-remove', {
    here: 'safes',
    head,
    counts: countsOf(safe.counts),
    members: messages.safeRemoval.members(items.length - 1, hasMore),
    action: `${head.path}/remove`,
    error,
  })
}
