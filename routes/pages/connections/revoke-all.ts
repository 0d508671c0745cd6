import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { connectionsTexts } from '../../../views/texts/connections.js'
import { accountOf } from '../signed-in.js'

/** Maximum connections counted. */
const MAX_COUNTED = 1000

/** Ending all connections of the account, after a confirmation page. */
export default async function revokeAllPages(app: FastifyInstance) {
  app.get('/connections/revoke-all', askRevokeAll)
  app.post('/connections/revoke-all', revokeAll)
}

async function askRevokeAll(request: FastifyRequest, reply: FastifyReply) {
  const { count, text } = await openConnections(request.server, accountOf(request).id)
  if (count === 0) return reply.redirect('/connections', 303)
  return reply.page('connections-end', {
    here: 'connections',
    title: connectionsTexts.revokeAllTitle(text),
  })
}

async function revokeAll(request: FastifyRequest, reply: FastifyReply) {
  await request.server.oauth.connections.revokeAll(accountOf(request).id)
  return reply.redirect('/connections', 303)
}

/** The number of working connections of the account, as a number and as text. */
export async function openConnections({ oauth }: FastifyInstance, accountId: string) {
  const listed = await oauth.connections.listFor(accountId, { kind: 'open', limit: MAX_COUNTED + 1 })
  const count = listed.filter(({ ended }) => !ended).length
  const { openCount, atLeast } = connectionsTexts
  return { count, text: count > MAX_COUNTED ? atLeast(openCount(MAX_COUNTED)) : openCount(count) }
}
