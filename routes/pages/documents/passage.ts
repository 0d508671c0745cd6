import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { documentAddress } from '../../../domain/safes/documents/document-address.js'
import { readableSafe } from '../own-safe.js'
import { type RequestOf, TextField, type TypedApp } from '../params.js'
import { thingPath } from '../safes/safe-links.js'
import { accountOf } from '../signed-in.js'

const OfPassage = { params: Type.Object({ safeId: Type.String(), passageId: TextField(30) }) }

/** The address of a passage of an answer: redirects to its place in its document, or to the thing that it is about. */
export default async function passagePage(app: TypedApp) {
  app.get('/safes/:safeId/passages/:passageId', { schema: OfPassage }, goToPassage)
}

async function goToPassage(request: RequestOf<typeof OfPassage>, reply: FastifyReply) {
  const safe = await readableSafe(request)
  const { documents } = request.server.safes
  const place = await documents.placeOf(accountOf(request).id, safe.id, request.params.passageId)
  const safePath = `/safes/${safe.id}`
  const { path, passage, entityKey } = place
  return reply.redirect(
    path === null ? thingPath(safePath, entityKey) : documentAddress(safePath, path, passage),
    303,
  )
}
