import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import type { Import, ReadableSafe } from '../../../domain/safes/safe.js'
import { notFound } from '../../../platform/common/domain-error.js'
import { flashTexts } from '../../../views/texts/flash.js'
import { renderAhead } from '../documents/render-ahead.js'
import { formPage } from '../form-page.js'
import { ownSafe } from '../own-safe.js'
import type { RequestOf, TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'
import { importPage } from './import-page.js'
import { withoutReview } from './import-state.js'
import { undoPage } from './import-undo.js'
import { showFiles } from './safe-files.js'

const OfImport = { params: Type.Object({ safeId: Type.String(), importId: Type.String() }) }
const Undo = {
  ...OfImport,
  /** The page on which a rejected file was dismissed. */
  body: Type.Optional(Type.Object({ from: Type.Optional(Type.Literal('home')) })),
}

type ImportRequest = RequestOf<typeof OfImport>

/** Previewing what an import adds, committing or discarding it, undoing and restoring it. */
export default async function importPages(app: TypedApp) {
  const path = '/safes/:safeId/imports/:importId'

  app.get(path, { schema: OfImport }, showImport)
  app.post(`${path}/commit`, { schema: OfImport }, commit)
  app.get(`${path}/undo`, { schema: OfImport }, askUndo)
  app.post(`${path}/undo`, { schema: Undo }, undo)
  app.post(
    `${path}/restore`,
    { schema: OfImport },
    formPage({ load: ownSafe, change: restore, show: showFiles }),
  )
}

async function showImport(request: ImportRequest, reply: FastifyReply) {
  const safe = await ownSafe(request)
  const item = await importOf(request)
  if (item.status === 'committed') renderAhead(request, reply, safe.id)
  return reply.page('import', importPage(safe, withoutReview(item)))
}

async function commit(request: ImportRequest, reply: FastifyReply) {
  const { id } = await ownSafe(request)
  const number = numberOf(request)
  await request.server.safes.imports.commit(accountOf(request).id, id, number)
  const { source } = await importOf(request)
  reply.says({ text: flashTexts.added(source), undo: { path: `/safes/${id}/imports/${number}/undo` } })
  return reply.redirect(`/safes/${id}/imports/${number}`, 303)
}

async function askUndo(request: ImportRequest, reply: FastifyReply) {
  const safe = await ownSafe(request)
  return reply.page('import-undo', undoPage(safe, await importOf(request)))
}

async function undo(request: RequestOf<typeof Undo>, reply: FastifyReply) {
  const { id } = await ownSafe(request)
  const { source, status } = await importOf(request)
  await request.server.safes.imports.undo(accountOf(request).id, id, numberOf(request))
  if (status === 'committed')
    reply.says({
      text: flashTexts.undone(source),
      undo: { path: `/safes/${id}/imports/${numberOf(request)}/restore` },
    })
  else reply.says({ text: flashTexts.discarded(source) })
  return reply.redirect(request.body?.from ? '/' : `/safes/${id}/files`, 303)
}

async function restore(request: ImportRequest, { id }: ReadableSafe, reply: FastifyReply) {
  await request.server.safes.imports.restore(accountOf(request).id, id, numberOf(request))
  reply.says({ text: flashTexts.restored })
  return `/safes/${id}/files`
}

/** @throws notFound */
async function importOf(request: ImportRequest): Promise<Import> {
  const { safes } = request.server
  const item = await safes.imports.find(accountOf(request).id, request.params.safeId, numberOf(request))
  if (!item) throw notFound('import')
  return item
}

/** @throws notFound if this cannot be an import's number */
function numberOf({ params: { importId } }: ImportRequest): number {
  if (!/^[1-9]\d{0,8}$/.test(importId)) throw notFound('import')
  return Number(importId)
}
