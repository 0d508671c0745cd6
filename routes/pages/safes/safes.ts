import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../../domain/accounts/account.js'
import { sizeTexts } from '../../../domain/safes/size-text.js'
import { showTime } from '../../../platform/common/format.js'
import { importsTexts } from '../../../views/texts/imports.js'
import { safesTexts } from '../../../views/texts/safes.js'
import { formPage } from '../form-page.js'
import { PageQuery, pageLinks, readPage } from '../list.js'
import { type RequestOf, TextField, type TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'

interface SafesContent {
  after?: string
  error?: string
  name?: string
}

/** Safes per page. */
const SAFES_PAGE = 60
/** Removed Safes shown. The command line lists all of them. */
const REMOVED_SHOWN = 50

const Create = { body: Type.Object({ name: TextField() }) }

/** The list of Safes, and creating them. */
export default async function safePages(app: TypedApp) {
  app.get('/safes', { schema: { querystring: PageQuery } }, (request, reply) =>
    showSafes(request, accountOf(request), reply, request.query),
  )
  app.post(
    '/safes',
    { schema: Create },
    formPage({ load: accountOf, change: create, show: showSafes, entered: ({ body }) => body }),
  )
  app.post('/safes/sample', createSample)
}

async function create({ server, body }: RequestOf<typeof Create>, { id }: Account) {
  const safe = await server.safes.create(id, body.name)
  return `/safes/${safe.id}`
}

async function createSample(request: FastifyRequest, reply: FastifyReply) {
  const safe = await request.server.safes.createSample(accountOf(request).id)
  return reply.redirect(`/safes/${safe.id}`, 303)
}

async function showSafes(
  { server: { safes } }: FastifyRequest,
  { id }: Account,
  reply: FastifyReply,
  { after, ...again }: SafesContent,
) {
  const list = await readPage(SAFES_PAGE, after, page => safes.readableBy(id, page))
  const removed = after ? [] : await safes.removal.list(id, { limit: REMOVED_SHOWN })
  return reply.page('safes', {
    here: 'safes',
    lead: list.items.length > 0 || after ? safesTexts.lead : safesTexts.none,
    safes: list.items.map(({ id, name, role, counts }) => ({
      path: `/safes/${id}`,
      name,
      isShared: role === 'reader',
      size: sizeTexts(counts).join(' · '),
    })),
    ...pageLinks('/safes', list, after, ({ id }) => ({ after: id })),
    removed: removed.map(({ id, name, counts, restorableUntil }) => ({
      name,
      size: sizeTexts(counts).join(' · '),
      until: importsTexts.files.restorable(showTime(restorableUntil)),
      restore: `/safes/${id}/restore`,
    })),
    ...again,
  })
}
