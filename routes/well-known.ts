import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pathOf } from '../common/path.js'
import { authorizationServerMetadata, protectedResourceMetadata } from '../oauth/metadata.js'
import { isSafeId } from '../oauth/resource.js'
import { enableCors } from './cross-origin.js'
import { rejectOtherMethods } from './oauth/method-not-allowed.js'

const SERVER = '/.well-known/oauth-authorization-server'
const RESOURCE = '/.well-known/oauth-protected-resource'

/**
 * Discovery (RFC 8414, RFC 9728). Everything else under `/.well-known/` is 404 in JSON, never the root document: clients
 * compare the issuer and give up when it is not the one they expect, but go on after a 404.
 */
export default async function wellKnownRoutes(app: FastifyInstance) {
  enableCors(app, { methods: ['GET', 'HEAD'] })
  const { baseUrl } = app.config
  const server = authorizationServerMetadata(baseUrl)
  const user = protectedResourceMetadata(baseUrl, 'user')

  const documents: Record<string, (request: FastifyRequest) => object | null> = {
    [SERVER]: () => server,
    [RESOURCE]: () => user,
    [`${RESOURCE}/`]: () => user,
    [`${RESOURCE}/mcp/v1`]: () => user,
    [`${RESOURCE}/mcp/v1/`]: () => user,
    [`${RESOURCE}/mcp/v1/:safeId`]: safe,
    [`${RESOURCE}/mcp/v1/:safeId/`]: safe,
  }
  for (const [url, document] of Object.entries(documents)) {
    app.get(url, async (request, reply) => document(request) ?? nothing(request, reply))
    rejectOtherMethods(app, url, ['GET', 'HEAD'])
  }
  app.all('/.well-known/*', nothing)

  function safe(request: FastifyRequest) {
    const { safeId } = request.params as { safeId: string }
    // The path as sent, too: an encoded slash or dot is no id (RULES P1).
    if (!isSafeId(safeId) || pathOf(request.url).includes('%')) return null
    return protectedResourceMetadata(baseUrl, `safe:${safeId}`)
  }
}

async function nothing(_request: FastifyRequest, reply: FastifyReply) {
  return reply.code(404).send({ error: 'not_found', error_description: 'There is nothing at this address.' })
}
