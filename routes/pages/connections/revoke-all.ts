import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { messages } from '../../../messages.js'
import type { Page } from '../../../plugins/views.js'
import { accountOf } from '../signed-in.js'

declare module '../../../plugins/views.js' {
  interface Pages {
    'connections-end': EndAllPage
  }
}

interface EndAllPage extends Page {
  title: string
}

/** The number of connections that are counted. */
const MAX_COUNTED = 1000

/** Ending all connections of the account, after a page that asks. */
export default async function revokeAllPages(app: FastifyInstance) {
  app.get('/connections/revoke-all', askRevokeAll)
  app.post('/connections/revoke-all', revokeAll)
}

async function askRevokeAll(request: FastifyRequest, reply: FastifyReply) {
  const { connections } = request.server.oauth
  const listed = await connections.listFor(accountOf(request).id, { kind: 'open', limit: MAX_COUNTED + 1 })
  const open = listed.filter(each => !each.ended)
  if (open.length === 0) return reply.redirect('/connections', 303)
  const { openCount, atLeast, revokeAllTitle } = messages.connections
  const count = open.length > MAX_COUNTED ? atLeast(openCount(MAX_COUNTED)) : openCount(open.length)
  return reply.page('connections-end', { here: 'connections', title: revokeAllTitle(count) })
}

async function revokeAll(request: FastifyRequest, reply: FastifyReply) {
  await request.server.oauth.connections.revokeAll(accountOf(request).id)
  return reply.redirect('/connections', 303)
}
