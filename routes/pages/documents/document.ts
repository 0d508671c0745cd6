import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { parseDocument } from '../../../rendering/document.js'
import { readableSafe } from '../own-safe.js'
import { KeyField, type RequestOf } from '../params.js'
import { safeHead } from '../safes/safe-head.js'
import { accountOf } from '../signed-in.js'
import { documentPage } from './document-view.js'
import { linkResolver } from './links.js'
import { aroundDocument } from './margin.js'

const OfDocument = {
  params: Type.Object({ safeId: Type.String(), '*': KeyField() }),
  querystring: Type.Object({ original: Type.Optional(Type.Literal('1')) }),
}

/** A document of a Safe, to be read. */
export default async function documentPages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()
  app.get('/safes/:safeId/documents/*', { schema: OfDocument }, (request, reply) =>
    request.query.original ? sendOriginal(request, reply) : showDocument(request, reply),
  )
}

async function showDocument(request: RequestOf<typeof OfDocument>, reply: FastifyReply) {
  const safe = await readableSafe(request)
  const { documents } = request.server.safes
  const { id: accountId } = accountOf(request)
  const document = await documents.find(accountId, safe.id, request.params['*'])
  const { text, passages } = await documents.read(accountId, safe.id, document)
  const parsed = parseDocument(document.kind, text)
  const head = safeHead(safe, 'documents', false)
  const [resolve, around] = await Promise.all([
    linkResolver(request.server.safes, accountId, safe.id, document.path, parsed.targets),
    aroundDocument(request.server.safes, accountId, safe.id, document.path, passages[0]?.entityKey),
  ])
  return reply.page('document', documentPage(head, document, { parsed, passages, resolve, around }))
}

/** The file as it came; of a PDF or a Word document the text that was read. */
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
