import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authorizationServerMetadata, protectedResourceMetadata } from '../domain/oauth/metadata.js'
import { isSafeId } from '../domain/oauth/resource.js'
import { pathOf } from '../platform/common/path.js'
import { enableCors } from './cross-origin.js'
import { rejectOtherMethods } from './oauth/method-not-allowed.js'

const SERVER = '/.well-known/oauth-authorization-server'
const RESOURCE = '/.well-known/oauth-protected-resource'

/**
 * Discovery (RFC 8414, RFC 9728). Any other path under `/.well-known/` returns 404 as JSON, never the root
 * document: clients stop if the issuer is not the expected one, but continue after a 404.
 */
export default async function wellKnownRoutes(app: FastifyInstance) {
  enableCors(app, { methods: ['GET', 'HEAD'] })
  const { baseUrl } = app.config
  const server = authorizationServerMetadata(baseUrl)
  const user = protectedResourceMetadata(baseUrl, 'user')
  const api = protectedResourceMetadata(baseUrl, 'api')

  const documents: Record<string, (request: FastifyRequest) => object | null> = {
    [SERVER]: () => server,
    [RESOURCE]: () => user,
    [`${RESOURCE}/`]: () => user,
    [`${RESOURCE}/mcp/v1`]: () => user,
    [`${RESOURCE}/mcp/v1/`]: () => user,
    [`${RESOURCE}/api/v1`]: () => api,
    [`${RESOURCE}/api/v1/`]: () => api,
    [`${RESOURCE}/mcp/v1/:safeId`]: safe,
    [`${RESOURCE}/mcp/v1/:safeId/`]: safe,
  }
  for (const [url, document] of Object.entries(documents)) {
    app.get(url, async (request, reply) => document(request) ?? notFound(request, reply))
    rejectOtherMethods(app, url, ['GET', 'HEAD'])
  }
  app.all('/.well-known/*', notFound)

  function safe(request: FastifyRequest) {
    const { safeId } = request.params as { safeId: string }
    // Also check the raw path: percent-encoded characters are not allowed in an id (RULES P1).
    if (!isSafeId(safeId) || pathOf(request.url).includes('%')) return null
    return protectedResourceMetadata(baseUrl, `safe:${safeId}`)
  }
}

async function notFound(_request: FastifyRequest, reply: FastifyReply) {
  return reply.code(404).send({ error: 'not_found', error_description: 'There is nothing at this address.' })
}
