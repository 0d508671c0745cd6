import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { IdField, type RequestOf, type TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'

const YesOrNo = Type.Union([Type.Literal('yes'), Type.Literal('no')])
const SetPowers = {
  params: Type.Object({ connectionId: IdField() }),
  body: Type.Object({ propose: Type.Optional(YesOrNo), search: Type.Optional(YesOrNo) }),
}

/** The powers of a connection besides reading, each switched by a button. */
export default async function connectionPowers(app: TypedApp) {
  app.post('/connections/:connectionId/powers', { schema: SetPowers }, setPowers)
}

/** Takes effect at the next request of the assistant. */
async function setPowers(request: RequestOf<typeof SetPowers>, reply: FastifyReply) {
  const { connectionId } = request.params
  const { propose, search } = request.body
  await request.server.oauth.connections.setPowers(accountOf(request).id, connectionId, {
    ...(propose !== undefined && { mayPropose: propose === 'yes' }),
    ...(search !== undefined && { hasSearch: search === 'yes' }),
  })
  return reply.redirect(`/connections/${connectionId}?saved=yes`, 303)
}
