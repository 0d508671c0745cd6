import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { readableSafe } from '../own-safe.js'
import { KeyField, type RequestOf, type TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'

const OfImage = { params: Type.Object({ safeId: Type.String(), '*': KeyField() }) }

/** A picture that documents of a Safe show. */
export default async function imagePages(app: TypedApp) {
  app.get('/safes/:safeId/images/*', { schema: OfImage }, sendImage)
}

async function sendImage(request: RequestOf<typeof OfImage>, reply: FastifyReply) {
  const safe = await readableSafe(request)
  const { documents } = request.server.safes
  const image = await documents.image(accountOf(request).id, safe.id, request.params['*'])
  const version = `"${image.version}"`
  reply.headers({
    ...request.server.pageHeaders,
    // Revalidated each time, because the reader may have lost access.
    'Cache-Control': 'private, no-cache',
    // Opened by itself, it is only a picture: an SVG runs and loads nothing, but shows its embedded pictures and fonts.
    'Content-Security-Policy':
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox; frame-ancestors 'none'",
    'Content-Type': image.type,
    'Cross-Origin-Resource-Policy': 'same-origin',
    ETag: version,
  })
  if (request.headers['if-none-match'] === version) return reply.code(304).send()
  return reply.send(image.bytes)
}
