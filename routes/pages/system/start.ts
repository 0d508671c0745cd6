import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sizeTexts } from '../../../domain/safes/size-text.js'
import { assistantSteps } from '../connections/assistant-steps.js'
import { PageQuery, pageLinks, readPage } from '../list.js'
import { IdField, type RequestOf, TextField, type TypedApp } from '../params.js'
import { accountOf, onlySignedIn } from '../signed-in.js'

/** Safes listed by name. */
const SHOWN = 5
/** Safes in the question box, per page. */
const SAFES_OFFERED = 100

const Start = { querystring: PageQuery }
const Ask = { querystring: Type.Object({ safe: IdField(), q: TextField() }) }

/** The first steps again, to connect another assistant, and their question box. */
export default async function startPages(app: TypedApp) {
  app.get('/start', { schema: Start, preValidation: onlySignedIn }, (request, reply) =>
    showStart(request, '/start', reply, request.query),
  )
  app.get('/ask', { schema: Ask, preValidation: onlySignedIn }, ask)
}

/** The answer appears on the Safe's page. */
async function ask({ query: { safe, q } }: RequestOf<typeof Ask>, reply: FastifyReply) {
  return reply.redirect(`/safes/${safe}?${new URLSearchParams({ q })}`, 303)
}

/** Shows the first steps, on Home or on their own page. */
export async function showStart(
  request: FastifyRequest,
  path: '/' | '/start',
  reply: FastifyReply,
  { after }: { after?: string },
) {
  const { config, safes } = request.server
  const { id } = accountOf(request)
  const list = await readPage(SAFES_OFFERED, after, page => safes.readableBy(id, { ...page, patienceMs: 0 }))
  if (after && list.items.length === 0) return reply.redirect(path, 303)
  const shown = await safes.readableAmong(
    id,
    list.items.slice(0, SHOWN).map(({ id }) => id),
  )
  const mcpUrl = `${config.baseUrl}/mcp/v1`
  const own = list.items.find(({ role }) => role === 'owner')
  const { more, first } = pageLinks(path, list, after, ({ id }) => ({ after: id }))
  return reply.page('start', {
    here: 'home',
    mcpUrl,
    isLocal: !config.baseUrl.startsWith('https:'),
    assistants: assistantSteps(config.brand, mcpUrl),
    safes: list.items,
    more: more && `${more}#ask`,
    first: first && `${first}#ask`,
    shownSafes: shown.map(({ id, name, counts }) => {
      return { path: `/safes/${id}`, name, size: sizeTexts(counts).slice(0, 2).join(', ') }
    }),
    addFile: own ? `/safes/${own.id}/import` : null,
  })
}
