import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { type RequestOf, SafeParams, TextField, type TypedApp } from '../params.js'
import { thingPath } from '../safes/safe-links.js'
import { accountOf } from '../signed-in.js'

const Suggest = { params: SafeParams, querystring: Type.Object({ q: TextField(200) }) }

/** Names suggested at once. */
const MAX = 8

/** Names with the typed beginning, for `public/suggest.js`. */
export default async function suggestRoute(app: TypedApp) {
  app.get('/safes/:safeId/suggest', { schema: Suggest }, suggest)
}

async function suggest(request: RequestOf<typeof Suggest>, reply: FastifyReply) {
  const { safeId } = request.params
  const { id } = accountOf(request)
  const found = await request.server.safes.browse.suggest(id, safeId, request.query.q.trim(), MAX)
  const names = found.map(({ key, name, type, relations }) => ({
    name,
    type,
    relations,
    href: thingPath(`/safes/${safeId}`, key),
  }))
  return reply.header('Cache-Control', 'no-store').header('X-Content-Type-Options', 'nosniff').send({ names })
}
