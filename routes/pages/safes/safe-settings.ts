import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { EXPORTS } from '../../../domain/safes/exports/export-formats.js'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import { flashTexts } from '../../../views/texts/flash.js'
import { formPage } from '../form-page.js'
import { ownSafe, readableSafe, type SafeRequest } from '../own-safe.js'
import { type RequestOf, SafeParams, TextField, type TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'
import { safeHead } from './safe-head.js'
import { singleValuedOf } from './single-valued.js'

interface SettingsContent {
  error?: string
  name?: string
  relation?: string
}

const Rename = { params: SafeParams, body: Type.Object({ name: TextField() }) }
const Mark = { params: SafeParams, body: Type.Object({ relation: TextField() }) }

/** Address and export of a Safe; for owners also its name and its removal. */
export default async function safeSettingsPages(app: TypedApp) {
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
        change: (request: RequestOf<typeof Mark>, _safe, reply) => mark(request, reply, isOn),
        entered: ({ body }) => body,
      }),
    )
}

async function rename(request: RequestOf<typeof Rename>, { id, name }: ReadableSafe, reply: FastifyReply) {
  await request.server.safes.rename(accountOf(request).id, id, request.body.name)
  reply.says({
    text: flashTexts.renamed(request.body.name.trim()),
    undo: { path: `/safes/${id}/rename`, fields: [['name', name]] },
  })
  return `/safes/${id}/settings`
}

/** Sets whether a relation has one value at a time. */
async function mark(request: RequestOf<typeof Mark>, reply: FastifyReply, isOn: boolean) {
  const { safeId } = request.params
  const { relation } = request.body
  await request.server.safes.singleValued.set(accountOf(request).id, safeId, relation, isOn)
  const path = `/safes/${safeId}/single-valued${isOn ? '/remove' : ''}`
  const text = flashTexts.singleValued(relation.trim(), isOn)
  reply.says({ text, undo: { path, fields: [['relation', relation]] } })
  return `/safes/${safeId}/settings#single-valued`
}

async function showSettings(
  request: SafeRequest,
  safe: ReadableSafe,
  reply: FastifyReply,
  { relation = '', ...again }: SettingsContent,
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
