import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { readableSafe } from '../own-safe.js'
import { ImportNumber, KeyField, type RequestOf, type TypedApp } from '../params.js'
import { safeHead } from '../safes/safe-head.js'
import { accountOf } from '../signed-in.js'
import { readArticle } from './document-article.js'
import { documentPage } from './document-view.js'
import { aroundDocument } from './margin.js'
import { noteActions } from './note-view.js'
import { readBy } from './read-by.js'
import { versionsPath } from './versions-view.js'

const OfDocument = {
  params: Type.Object({ safeId: Type.String(), '*': KeyField() }),
  querystring: Type.Object({
    original: Type.Optional(Type.Literal('1')),
    part: Type.Optional(ImportNumber()),
    /** The part with this passage. */
    passage: Type.Optional(ImportNumber()),
  }),
}

/** A document of a Safe, for reading. */
export default async function documentPages(app: TypedApp) {
  app.get('/safes/:safeId/documents/*', { schema: OfDocument }, (request, reply) =>
    request.query.original ? sendOriginal(request, reply) : showDocument(request, reply),
  )
}

async function showDocument(request: RequestOf<typeof OfDocument>, reply: FastifyReply) {
  const safe = await readableSafe(request)
  const { safes, renderer } = request.server
  const { id: accountId } = accountOf(request)
  const path = request.params['*']
  const document = await safes.documents.find(accountId, safe.id, path).catch(async error => {
    // A removed document only has earlier versions.
    await safes.versions.list(accountId, safe.id, path).catch(() => {
      throw error
    })
    return null
  })
  if (!document) return reply.redirect(versionsPath(`/safes/${safe.id}`, path), 303)
  renderer.prepare({ safe: safe.id, hash: document.contentHash }, document.size)
  const numbered = (value?: string) => (value === undefined ? undefined : Number(value))
  const { query } = request
  const wanted = { part: numbered(query.part), passage: numbered(query.passage) }
  const { read, reads, part, parts, rendering } = await readArticle(
    request.server,
    { accountId, safeId: safe.id },
    document,
    wanted,
  )
  const [article, around, note] = await Promise.all([
    renderer.render(rendering),
    aroundDocument(safes, accountId, safe.id, document.path, read.passages[0]?.entityKey),
    safe.role === 'owner' && safes.notes.isOne(safe.id, document),
  ])
  const head = safeHead(safe, 'documents', false)
  const shown = documentPage(head, document, { article, around, part, parts })
  return reply.page('document', {
    ...shown,
    readBy: readBy(head.path, document, read.passages, reads),
    note: note ? noteActions(head.path, document.path) : null,
  })
}

/** The original file; for a PDF or a Word document the extracted text. */
async function sendOriginal(request: RequestOf<typeof OfDocument>, reply: FastifyReply) {
  const safe = await readableSafe(request)
  const { documents } = request.server.safes
  const { id: accountId } = accountOf(request)
  const document = await documents.find(accountId, safe.id, request.params['*'])
  const bytes =
    (await documents.original(accountId, safe.id, document)) ??
    Buffer.from((await documents.read(accountId, safe.id, document)).text)
  const name = encodeURIComponent(document.path.split('/').at(-1) ?? 'document')
  return reply
    .headers({
      // Never shown by the browser as a page of this service.
      'Content-Disposition': `attachment; filename*=UTF-8''${name}`,
      'Content-Type': 'application/octet-stream',
      'X-Content-Type-Options': 'nosniff',
    })
    .send(bytes)
}
