import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { messages } from '../../messages.js'
import { type Connection, type ListedConnection, onlySafe } from '../../plugins/oauth/access.js'
import { TextField } from './forms.js'
import { cut, PageQuery, pathWith } from './paging.js'
import { accountOf } from './signed-in.js'

/** Connections of a page, and ended ones below those that are open. */
const PAGE = 50
const ENDED_SHOWN = 10

const ConnectionParams = Type.Object({ connectionId: Type.String() })
const ListQuery = Type.Intersect([
  PageQuery,
  Type.Object({ q: Type.Optional(TextField(100)), ended: Type.Optional(Type.Literal('1')) }),
])

/** The assistants that may read this account's Safes, and how to end that. */
export default async function connectionPages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()

  app.get('/connections', { schema: { querystring: ListQuery } }, async (request, reply) => {
    const { id } = accountOf(request)
    const { after, q = '', ended } = request.query
    const search = q.trim()
    const page = {
      kind: ended ? ('ended' as const) : ('open' as const),
      limit: PAGE + 1,
      search,
      ...(after ? { after } : {}),
    }
    const list = cut(await app.oauth.connections.listFor(id, page), PAGE)
    // The beginning of the other list, where somebody looks for what has just ended.
    const isFirst = !ended && !after && !search
    const others = isFirst
      ? await app.oauth.connections.listFor(id, { kind: 'ended', limit: ENDED_SHOWN + 1 })
      : []
    const last = list.items.at(-1)?.id
    return reply.view('connections', {
      here: 'connections',
      connections: await withReads(id, [...list.items, ...others.slice(0, ENDED_SHOWN)]),
      search,
      ended: ended !== undefined,
      isFirst: !after,
      more: list.hasMore && last ? pathWith('/connections', { q: search, ended, after: last }) : null,
      moreEnded: others.length > ENDED_SHOWN,
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

  /** With what each may read, in words. */
  async function withReads(accountId: string, connections: ListedConnection[]) {
    const names = new Map<string, string>()
    for (const { chosenSafeId, resource } of connections) {
      for (const safeId of [chosenSafeId, resource.startsWith('safe:') ? resource.slice(5) : null]) {
        if (safeId === null || names.has(safeId)) continue
        const safe = await app.safes.membership(accountId, safeId)
        if (safe) names.set(safeId, safe.name)
      }
    }
    return connections.map(connection => ({ ...connection, reads: whatItReads(connection, names) }))
  }
}

function whatItReads(connection: Connection, names: Map<string, string>): string {
  const { allSafes, startsWith, only, goneSafe } = messages.connections
  const limit = onlySafe({ ...connection, resourceSent: true })
  if (limit !== null) return only(names.get(limit) ?? goneSafe)
  const first = connection.chosenSafeId && names.get(connection.chosenSafeId)
  return first ? startsWith(first) : allSafes
}
