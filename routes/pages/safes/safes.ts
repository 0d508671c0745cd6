import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { showTime } from '../../../common/format.js'
import { messages } from '../../../messages.js'
import type { Page } from '../../../plugins/views.js'
import { TextField } from '../forms.js'
import { cut, PageQuery, pathWith } from '../list.js'
import { refusal } from '../refusal.js'
import { accountOf } from '../signed-in.js'
import { countsOf } from './counts.js'

declare module '../../../plugins/views.js' {
  interface Pages {
    safes: SafesPage
  }
}

interface SafesPage extends Page {
  lead: string
  safes: { path: string; name: string; isShared: boolean; size: string }[]
  /** Links to the next page and to the first one. */
  more: string | null
  first: string | null
  /** Removed Safes that can be restored, on the first page. */
  removed: { name: string; size: string; until: string; restore: string }[]
  /** The entered value, to be corrected. */
  name?: string
}

/** Safes per page. */
const SAFES_PAGE = 60
/** Removed Safes shown. The command line lists all of them. */
const REMOVED_SHOWN = 50

const NameForm = Type.Object({ name: TextField() })

/** The list of Safes, and creating and removing them. */
export default async function safePages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()

  app.get('/safes', { schema: { querystring: PageQuery } }, (request, reply) =>
    showSafes(app, request, reply, {}, request.query.after),
  )

  app.post('/safes', { schema: { body: NameForm } }, async (request, reply) => {
    const { name } = request.body
    try {
      const safe = await app.safes.create(accountOf(request).id, name)
      return reply.redirect(`/safes/${safe.id}`, 303)
    } catch (error) {
      return showSafes(app, request, reply, { error: refusal(error, reply), name })
    }
  })

  app.post('/safes/sample', async (request, reply) => {
    const safe = await app.safes.createSample(accountOf(request).id)
    return reply.redirect(`/safes/${safe.id}`, 303)
  })
}

async function showSafes(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  again: { error?: string; name?: string } = {},
  after?: string,
) {
  const page = { limit: SAFES_PAGE + 1, ...(after ? { after } : {}) }
  const list = cut(await app.safes.readableBy(accountOf(request).id, page), SAFES_PAGE)
  const last = list.items.at(-1)?.id
  const removed = after ? [] : await app.safes.removed(accountOf(request).id, { limit: REMOVED_SHOWN })
  const safes = list.items.map(({ id, name, role, counts }) => ({
    path: `/safes/${id}`,
    name,
    isShared: role === 'reader',
    size: countsOf(counts).join(' · '),
  }))
  return reply.page('safes', {
    here: 'safes',
    lead: safes.length > 0 || after ? messages.safes.lead : messages.safes.none,
    safes,
    more: list.hasMore ? pathWith('/safes', { after: last }) : null,
    first: after ? '/safes' : null,
    removed: removed.map(({ id, name, counts, restorableUntil }) => ({
      name,
      size: countsOf(counts).join(' · '),
      until: messages.files.restorable(showTime(restorableUntil)),
      restore: `/safes/${id}/restore`,
    })),
    ...again,
  })
}
