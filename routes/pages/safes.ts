import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../common/domain-error.js'
import { messages } from '../../messages.js'
import type { Page } from '../../plugins/views.js'
import { countsOf } from './counts.js'
import { TextField } from './forms.js'
import { cut, PageQuery, pathWith } from './paging.js'
import { refusal } from './refusal.js'
import { accountOf } from './signed-in.js'

declare module '../../plugins/views.js' {
  interface Pages {
    safes: SafesPage
    'safe-remove': RemoveSafePage
  }
}

interface SafesPage extends Page {
  lead: string
  safes: { path: string; name: string; isShared: boolean; size: string }[]
  /** Links to the next page and to the first one. */
  more: string | null
  first: string | null
  /** The entered value, to be corrected. */
  name?: string
}

interface RemoveSafePage extends Page {
  safeName: string
  safePath: string
  action: string
}

/** Safes per page. */
const SAFES_PAGE = 60

const NameForm = Type.Object({ name: TextField() })
const SafeParams = Type.Object({ safeId: Type.String() })

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

  app.get('/safes/:safeId/remove', { schema: { params: SafeParams } }, async (request, reply) => {
    const safe = await app.safes.find(accountOf(request).id, request.params.safeId)
    if (safe?.role !== 'owner') throw notFound('Safe')
    const safePath = `/safes/${safe.id}`
    return reply.page('safe-remove', {
      here: 'safes',
      safeName: safe.name,
      safePath,
      action: `${safePath}/remove`,
    })
  })

  app.post('/safes/:safeId/remove', { schema: { params: SafeParams } }, async (request, reply) => {
    await app.safes.remove(accountOf(request).id, request.params.safeId)
    return reply.redirect('/safes', 303)
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
    ...again,
  })
}
