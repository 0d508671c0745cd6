import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ListedConnection } from '../../../domain/oauth/connections/access.js'
import { showTime } from '../../../platform/common/format.js'
import { accountTexts } from '../../../views/texts/account.js'
import { connectionsTexts } from '../../../views/texts/connections.js'
import { cut } from '../list.js'
import type { RequestOf, TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'

/** Maximum connections listed. All are ended together. */
const SHOWN = 50

const Show = { querystring: Type.Object({ reset: Type.Optional(Type.Literal('yes')) }) }

/**
 * Access that somebody with the old password may have left behind: connections of the last 30 days, and passkeys. Shown after the
 * password was reset.
 */
export default async function recentConnectionPages(app: TypedApp) {
  app.get('/connections/recent', { schema: Show }, showRecent)
  app.post('/connections/recent/revoke', revokeRecent)
}

async function showRecent(request: RequestOf<typeof Show>, reply: FastifyReply) {
  const { connections, passkeys } = await leftBehind(request.server, accountOf(request).id)
  const { items, hasMore } = cut(connections, SHOWN)
  return reply.page('connections-recent', {
    here: 'connections',
    isReset: request.query.reset === 'yes',
    connections: items.map(rowOf),
    hasMore,
    passkeys: passkeys.map(({ name, createdAt }) => ({
      name,
      added: accountTexts.passkeyAdded(showTime(createdAt)),
    })),
  })
}

async function revokeRecent(request: FastifyRequest, reply: FastifyReply) {
  await request.server.oauth.connections.revokeRecent(accountOf(request).id)
  return reply.redirect('/connections/recent', 303)
}

/** The page after a password reset. */
export async function pathAfterReset(app: FastifyInstance, accountId: string): Promise<string> {
  const { connections, passkeys } = await leftBehind(app, accountId)
  return connections.length + passkeys.length > 0 ? '/connections/recent?reset=yes' : '/'
}

async function leftBehind({ oauth, passkeys }: FastifyInstance, accountId: string) {
  const connections = await oauth.connections.recent(accountId, SHOWN + 1)
  return { connections, passkeys: (await passkeys?.listFor(accountId)) ?? [] }
}

function rowOf({ id, clientName, standing, redirectHost, createdAt, lastUsedAt }: ListedConnection) {
  const m = connectionsTexts.recent
  const facts = [
    m.since(showTime(createdAt)),
    lastUsedAt ? m.lastUsed(showTime(lastUsedAt)) : m.unused,
    redirectHost && m.returnsTo(redirectHost),
  ]
  return {
    name: clientName,
    standing,
    href: `/connections/${id}`,
    facts: facts.filter(Boolean).join(' · '),
  }
}
