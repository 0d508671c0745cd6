import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { messages } from '../../messages.js'
import { type Connection, onlySafe } from '../../plugins/oauth/access.js'
import { accountOf } from './signed-in.js'

const ConnectionParams = Type.Object({ connectionId: Type.String() })

/** The assistants that may read this account's Safes, and how to end that. */
export default async function connectionPages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()

  app.get('/connections', async (request, reply) => {
    const { id } = accountOf(request)
    const [connections, safes] = await Promise.all([
      app.oauth.connections.listFor(id),
      app.safes.readableBy(id),
    ])
    const names = new Map(safes.map(safe => [safe.id, safe.name]))
    return reply.view('connections', {
      here: 'connections',
      connections: connections.map(connection => ({
        ...connection,
        reads: whatItReads(connection, names),
      })),
    })
  })

  app.post(
    '/connections/:connectionId/revoke',
    { schema: { params: ConnectionParams } },
    async (request, reply) => {
      await app.oauth.connections.revoke(accountOf(request).id, request.params.connectionId)
      return reply.redirect('/connections', 303)
    },
  )

  app.post('/connections/revoke-all', async (request, reply) => {
    await app.oauth.connections.revokeAll(accountOf(request).id)
    return reply.redirect('/connections', 303)
  })
}

function whatItReads(connection: Connection, names: Map<string, string>): string {
  const { allSafes, startsWith, only, goneSafe } = messages.connections
  const limit = onlySafe({ ...connection, resourceSent: true })
  if (limit !== null) return only(names.get(limit) ?? goneSafe)
  const first = connection.chosenSafeId && names.get(connection.chosenSafeId)
  return first ? startsWith(first) : allSafes
}
