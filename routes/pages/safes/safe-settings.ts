import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Page } from '../../../plugins/views.js'
import { EXPORTS } from '../../../safes/exports/export-formats.js'
import type { ReadableSafe } from '../../../safes/safe.js'
import { formPage } from '../form-page.js'
import { ownSafe, readableSafe, type SafeRequest } from '../own-safe.js'
import { type RequestOf, SafeParams, TextField } from '../params.js'
import { accountOf } from '../signed-in.js'
import { type SafeHead, safeHead } from './safe-head.js'

declare module '../../../plugins/views.js' {
  interface Pages {
    'safe-settings': SafeSettingsPage
  }
}

interface SafeSettingsPage extends Page {
  head: SafeHead
  /** The entered name, to be corrected. */
  name: string
  isEmpty: boolean
  /** For owners of a Safe with relations. */
  singleValued: SingleValued | null
  exportFormats: readonly { id: string; title: string }[]
  mcpUrl: string
}

/** Relations with one value at a time. */
interface SingleValued {
  marked: string[]
  /** The most frequent others, to choose from. */
  others: string[]
  /** The entered relation, to be corrected. */
  entered: string
}

interface Shown {
  error?: string
  name?: string
  relation?: string
}

/** Relations to choose from. */
const OFFERED = 100

const Rename = { params: SafeParams, body: Type.Object({ name: TextField() }) }
const Mark = { params: SafeParams, body: Type.Object({ relation: TextField() }) }

/** Address and export of a Safe; for owners also its name and the way to remove it. */
export default async function safeSettingsPages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()
  const form = { load: ownSafe, show: showSettings }

  app.get('/safes/:safeId/settings', { schema: { params: SafeParams } }, async (request, reply) =>
    showSettings(request, await readableSafe(request), reply, {}),
  )
  app.post(
    '/safes/:safeId/rename',
    { schema: Rename },
    formPage({ ...form, change: rename, entered: ({ body }) => body }),
  )
  for (const isOn of [true, false])
    app.post(
      `/safes/:safeId/single-valued${isOn ? '' : '/remove'}`,
      { schema: Mark },
      formPage({
        ...form,
        change: (request: RequestOf<typeof Mark>) => mark(request, isOn),
        entered: ({ body }) => body,
      }),
    )
}

async function rename(request: RequestOf<typeof Rename>, { id }: ReadableSafe) {
  await request.server.safes.rename(accountOf(request).id, id, request.body.name)
  return `/safes/${id}/settings`
}

/** Says whether a relation has one value at a time. */
async function mark(request: RequestOf<typeof Mark>, isOn: boolean) {
  const { safeId } = request.params
  await request.server.safes.singleValued.set(accountOf(request).id, safeId, request.body.relation, isOn)
  return `/safes/${safeId}/settings#single-valued`
}

async function showSettings(
  request: SafeRequest,
  safe: ReadableSafe,
  reply: FastifyReply,
  { relation = '', ...again }: Shown,
) {
  return reply.page('safe-settings', {
    here: 'safes',
    head: safeHead(safe, 'settings'),
    name: safe.name,
    isEmpty: safe.counts.entities === 0,
    singleValued: safe.role === 'owner' ? await singleValuedOf(request, safe, relation) : null,
    exportFormats: EXPORTS,
    mcpUrl: `${request.server.config.baseUrl}/mcp/v1/${safe.id}`,
    ...again,
  })
}

async function singleValuedOf(
  request: SafeRequest,
  { id, counts }: ReadableSafe,
  entered: string,
): Promise<SingleValued | null> {
  const { safes } = request.server
  const accountId = accountOf(request).id
  const marked = await safes.singleValued.list(accountId, id)
  if (counts.relations === 0 && marked.length === 0) return null
  const { predicates } = await safes.browse.contents(accountId, id, OFFERED)
  const others = predicates.map(({ name }) => name).filter(name => !marked.includes(name))
  return { marked, others, entered }
}
