import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Resource } from '../domain/oauth/connections/access.js'
import { isSafeId, SERVER_CARD } from '../domain/oauth/resource.js'
import { serverCard } from '../mcp/server-card.js'
import { serverInfoOf } from '../mcp/server-info.js'
import { version } from '../platform/common/package.js'
import { pathOf } from '../platform/common/path.js'
import { enableCors } from './cross-origin.js'
import { rejectOtherMethods } from './oauth/method-not-allowed.js'

const USER = `/mcp/v1/${SERVER_CARD}`
const SAFE = `/mcp/v1/:safeId/${SERVER_CARD}`

/**
 * The Server Card of each MCP endpoint, at `<endpoint>/server-card` (SEP-2127, "Hosted Server Card
 * Location"). Public, and the same whether the Safe exists or not.
 */
export default async function serverCardRoutes(app: FastifyInstance) {
  enableCors(app, { methods: ['GET', 'HEAD'], exposes: ['ETag'] })
  const { brand, baseUrl } = app.config
  const info = serverInfoOf({ brand, version, baseUrl })

  function send(request: FastifyRequest, reply: FastifyReply, resource: Resource) {
    const body = JSON.stringify(serverCard(info, baseUrl, resource))
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
    reply.headers({ 'Cache-Control': 'public, max-age=3600', ETag: etag })
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
    return reply.type('application/mcp-server-card+json').send(body)
  }

  for (const url of [USER, `${USER}/`]) {
    app.get(url, (request, reply) => send(request, reply, 'user'))
    rejectOtherMethods(app, url, ['GET', 'HEAD'])
  }
  for (const url of [SAFE, `${SAFE}/`]) {
    app.get<{ Params: { safeId: string } }>(url, (request, reply) => {
      const { safeId } = request.params
      // Percent-encoded characters are not allowed in an id (RULES P1).
      if (!isSafeId(safeId) || pathOf(request.url).includes('%')) return reply.callNotFound()
      return send(request, reply, `safe:${safeId}`)
    })
    rejectOtherMethods(app, url, ['GET', 'HEAD'])
  }
}
