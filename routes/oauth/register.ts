import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addressBlock, clientAddress } from '../../platform/common/client-address.js'
import { DomainError } from '../../platform/common/domain-error.js'
import { enableCors } from '../cross-origin.js'
import { CLIENT_CORS } from './cross-origin.js'
import { NO_STORE, useJsonErrors } from './json-errors.js'
import { rejectOtherMethods } from './method-not-allowed.js'

/** High, because hosted assistants register all their users from a few addresses (RULES G6). */
const MAX_PER_HOUR_AND_ADDRESS = 300

/** Dynamic client registration (RFC 7591, SPEC §4.4). */
export default async function registerRoutes(app: FastifyInstance) {
  enableCors(app, CLIENT_CORS)
  useJsonErrors(app)
  const addressOf = clientAddress(app.config.trustProxy)
  await app.register(rateLimit, {
    global: false,
    // The plugin's default, `request.ip`, fails once the sender has closed the connection.
    keyGenerator: ({ raw }) => addressBlock(addressOf(raw)),
    nameSpace: 'oauth:register:',
    ...(app.redis && { redis: app.redis }),
    errorResponseBuilder: () =>
      new DomainError(429, 'too_many_requests', 'Too many registrations from this address. Try again later.'),
  })
  const onRequest = app.rateLimit({ max: MAX_PER_HOUR_AND_ADDRESS, timeWindow: '1 hour' })

  // `/register` is the fallback of MCP 2025-03-26 for clients without discovery (RULES M6).
  for (const url of ['/oauth/register', '/register']) {
    app.post(url, { onRequest, bodyLimit: 64 * 1024 }, register)
    rejectOtherMethods(app, url, ['POST'])
  }

  async function register(request: FastifyRequest, reply: FastifyReply) {
    const client = await app.oauth.clients.register(request.body)
    return reply
      .code(201)
      .headers(NO_STORE)
      .send({
        client_id: client.id,
        client_id_issued_at: Math.floor(client.createdAt / 1000),
        client_name: client.name,
        redirect_uris: client.redirectUris,
        grant_types: client.grantTypes,
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      })
  }
}
