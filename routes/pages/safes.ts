import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { commonSource, groupsOf, leadLines } from '../../graph/answer.js'
import { exportFormats } from '../../graph/formats/export.js'
import { DomainError, notFound } from '../../plugins/domain-error.js'
import { TextField } from './forms.js'
import { cut, PageQuery, pathWith } from './paging.js'
import { accountOf } from './signed-in.js'

/** Of one page. */
const SAFES_PAGE = 60
const IMPORTS_PAGE = 50

const NameForm = Type.Object({ name: TextField() })
const SafeParams = Type.Object({ safeId: Type.String() })
const QuestionQuery = Type.Object({
  q: Type.Optional(TextField()),
  other_words: Type.Optional(TextField()),
  cursor: Type.Optional(TextField(4096)),
  /** What is in the Safe, instead of a question. */
  overview: Type.Optional(Type.Literal('1')),
  /** Imports older than this one. */
  before: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,8}$' })),
})

/** The list of Safes, and each Safe with its question box, its imports and its settings. */
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

  app.get(
    '/safes/:safeId',
    { schema: { params: SafeParams, querystring: QuestionQuery } },
    async (request, reply) => {
      const { q = '', other_words = '', cursor, overview, before } = request.query
      const otherWords = other_words.trim()
      const shown = { question: q.trim(), otherWords, cursor, overview: overview !== undefined, before }
      return showSafe(app, request, reply, request.params.safeId, shown)
    },
  )

  app.post(
    '/safes/:safeId/rename',
    { schema: { params: SafeParams, body: NameForm } },
    async (request, reply) => {
      const { safeId } = request.params
      try {
        await app.safes.rename(accountOf(request).id, safeId, request.body.name)
      } catch (error) {
        return showSafe(app, request, reply, safeId, { question: '', error: refusal(error, reply) })
      }
      return reply.redirect(`/safes/${safeId}`, 303)
    },
  )

  app.get('/safes/:safeId/remove', { schema: { params: SafeParams } }, async (request, reply) => {
    const safe = await app.safes.find(accountOf(request).id, request.params.safeId)
    if (safe?.role !== 'owner') throw notFound('Safe')
    return reply.view('safe-remove', { here: 'safes', safe })
  })

  app.post('/safes/:safeId/remove', { schema: { params: SafeParams } }, async (request, reply) => {
    await app.safes.remove(accountOf(request).id, request.params.safeId)
    return reply.redirect('/safes', 303)
  })
}

/** The sentence to show above the form again; whatever is no 400 goes to the error page. */
function refusal(error: unknown, reply: FastifyReply): string {
  if (!(error instanceof DomainError) || error.status !== 400) throw error
  reply.code(400)
  return error.message
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
  const more = list.hasMore ? pathWith('/safes', { after: last }) : null
  return reply.view('safes', { here: 'safes', safes: list.items, more, isFirst: !after, ...again })
}

async function showSafe(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  safeId: string,
  shown: {
    question: string
    otherWords?: string
    cursor?: string | undefined
    overview?: boolean
    before?: string | undefined
    error?: string
  },
) {
  const { id } = accountOf(request)
  const safe = await app.safes.find(id, safeId)
  if (!safe) throw notFound('Safe')
  const { question: query, otherWords = '', cursor, overview = false, before, error } = shown
  const listed = { limit: IMPORTS_PAGE + 1, ...(before ? { after: Number(before) } : {}) }
  const { items: imports, hasMore } = cut(await app.safes.imports(id, safeId, listed), IMPORTS_PAGE)
  const older = hasMore ? `${pathWith(`/safes/${safeId}`, { before: imports.at(-1)?.id })}#imports` : null
  const mcpUrl = `${app.config.baseUrl}/mcp/v1/${safeId}`
  const page = {
    ...{ here: 'safes', safe, imports, older, isNewest: !before },
    ...{ exportFormats, mcpUrl, question: query, otherWords, error },
  }
  if (!query && !overview) return reply.view('safe', page)
  try {
    const asked = query
      ? { query, form: 'text' as const, ...(otherWords && { otherWords }), ...(cursor && { cursor }) }
      : {}
    const answer = await app.safes.ask(id, safeId, asked)
    const told = { lead: leadLines(answer), groups: groupsOf(answer), source: commonSource(answer) }
    return reply.view('safe', { ...page, answer, told })
  } catch (error) {
    return reply.view('safe', { ...page, error: refusal(error, reply) })
  }
}
