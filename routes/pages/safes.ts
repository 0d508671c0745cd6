import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError, notFound } from '../../common/domain-error.js'
import { showTime } from '../../common/format.js'
import { exportFormats } from '../../formats/writers/index.js'
import { messages } from '../../messages.js'
import type { Page } from '../../plugins/views.js'
import type { Import } from '../../safes/safe.js'
import { type AnswerView, answerView } from './answer-view.js'
import { countsOf } from './counts.js'
import { TextField } from './forms.js'
import { cut, PageQuery, pathWith } from './paging.js'
import { type SafeHead, safeHead } from './safe-head.js'
import { accountOf } from './signed-in.js'

declare module '../../plugins/views.js' {
  interface Pages {
    safes: SafesPage
    safe: SafePage
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

interface SafePage extends Page {
  head: SafeHead
  safe: { name: string; path: string; isEmpty: boolean; isOwn: boolean }
  question: string
  otherWords: string
  answer: AnswerView | null
  imports: ImportRow[]
  /** Links to the next page of imports and to the first one. */
  more: string | null
  first: string | null
  exportFormats: readonly { id: string; title: string }[]
  mcpUrl: string
}

interface ImportRow {
  source: string
  href: string | null
  state: string
  /** The colour of its state. */
  tag: 'good' | 'bad' | 'warn'
  summary: string
  /** The action of its button; null when there is none. */
  undo: string | null
}

/** Items per page. */
const SAFES_PAGE = 60
const IMPORTS_PAGE = 50
/** Removed Safes shown. The command line lists all of them. */
const REMOVED_SHOWN = 50

const NameForm = Type.Object({ name: TextField() })
const SafeParams = Type.Object({ safeId: Type.String() })
const QuestionQuery = Type.Object({
  q: Type.Optional(TextField()),
  other_words: Type.Optional(TextField()),
  cursor: Type.Optional(TextField(4096)),
  /** Show an overview instead of asking a question. */
  overview: Type.Optional(Type.Literal('1')),
  /** Imports older than this one. */
  before: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,8}$' })),
})

/** The list of Safes, and each Safe with its question box, imports and settings. */
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
}

/** The sentence to show above the form. Errors other than 400 go to the error page. */
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
  const path = `/safes/${safeId}`
  const isOwn = safe.role === 'owner'
  const listed = { limit: IMPORTS_PAGE + 1, ...(before ? { after: Number(before) } : {}) }
  const { items: imports, hasMore } = cut(await app.safes.imports(id, safeId, listed), IMPORTS_PAGE)
  const page: SafePage = {
    here: 'safes',
    head: safeHead(safe, 'ask'),
    safe: {
      name: safe.name,
      path,
      isEmpty: safe.counts.entities === 0,
      isOwn,
    },
    imports: imports.map(item => importRow(item, isOwn)),
    more: hasMore ? `${pathWith(path, { before: imports.at(-1)?.id })}#imports` : null,
    first: before ? `${path}#imports` : null,
    exportFormats,
    mcpUrl: `${app.config.baseUrl}/mcp/v1/${safeId}`,
    question: query,
    otherWords,
    answer: null,
    error,
  }
  if (!query && !overview) return reply.page('safe', page)
  try {
    const questionFields = query
      ? { query, form: 'text' as const, ...(otherWords && { otherWords }), ...(cursor && { cursor }) }
      : {}
    const answer = await app.safes.ask(id, safeId, questionFields)
    return reply.page('safe', { ...page, answer: answerView(answer, query, otherWords) })
  } catch (error) {
    return reply.page('safe', { ...page, error: refusal(error, reply) })
  }
}

function importRow(item: Import, isOwn: boolean): ImportRow {
  const path = `/safes/${item.safeId}/imports/${item.id}`
  const { relations, passages } = messages.safes
  const counts = `${relations(item.counts.relations)}, ${passages(item.counts.passages)}`
  return {
    source: item.source,
    href: isOwn ? path : null,
    state: messages.imports.states[item.status],
    tag: item.status === 'committed' ? 'good' : item.status === 'failed' ? 'bad' : 'warn',
    summary: `${counts} · ${showTime(item.createdAt)}`,
    undo: isOwn && item.status === 'committed' && !item.merged ? `${path}/undo` : null,
  }
}
