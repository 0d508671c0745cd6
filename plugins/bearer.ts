import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import type { Access, Resource } from '../domain/oauth/connections/access.js'
import { endpointUrl, permits } from '../domain/oauth/resource.js'
import { READ } from '../domain/oauth/scope.js'
import { DomainError } from '../platform/common/domain-error.js'
import { isLoopbackOrigin } from '../platform/common/origin.js'
import { bearerToken, isToken } from '../platform/limits/bearer-token.js'
import { countHeader } from './count-header.js'

/** Error codes of `WWW-Authenticate` (RFC 6750 §3.1). */
type BearerError = 'invalid_request' | 'invalid_token' | 'insufficient_scope'

const ERRORS: Record<BearerError, { status: number; description: string }> = {
  invalid_request: { status: 400, description: 'Send exactly one Authorization header.' },
  invalid_token: {
    status: 401,
    description:
      'The access token has expired or is not valid. Refresh it, or ask the user to connect again.',
  },
  insufficient_scope: { status: 403, description: `This requires the scope ${READ}.` },
}

const ENDED = 'This connection has ended. Ask the user to connect again.'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * A hook that requires a valid access token for the route's endpoint (RULES P3–P7) and an allowed origin
     * (P9), enforces the rate limit, and sets `request.access`. Runs before the body is read.
     */
    bearer: onRequestAsyncHookHandler
    /** The error for a token that lacks one of these required scopes (RFC 6750 §3.1). */
    insufficientScope(request: FastifyRequest, reply: FastifyReply, scopes: readonly string[]): DomainError
  }
  interface FastifyRequest {
    access: Access | null
    /** The endpoint of the request; set by its route. */
    endpoint: Resource
  }
}

export default fp(
  async function bearerPlugin(app: FastifyInstance) {
    const { baseUrl, allowedOrigins } = app.config

    app.decorateRequest('access', null)
    app.decorateRequest('endpoint', 'user')
    app.decorate('insufficientScope', (request: FastifyRequest, reply: FastifyReply, scopes) => {
      const scope = scopes.join(' ')
      const challenge = challengeFor(baseUrl, request.endpoint, scope)
      return bearerError(reply, challenge, 'insufficient_scope', `This requires the scope ${scope}.`)
    })
    app.decorate('bearer', async (request: FastifyRequest, reply: FastifyReply) => {
      const challenge = () => challengeFor(baseUrl, request.endpoint)
      const { token, error } = readToken(request)
      if (error) throw bearerError(reply, challenge(), error)
      if (token === null) {
        // A request without credentials gets a challenge without an error code (RFC 6750 §3).
        reply.header('WWW-Authenticate', challenge())
        throw new DomainError(
          401,
          'unauthorized',
          'An access token is required. The user must sign in and approve this connection.',
        )
      }
      const sessionId = request.headers['mcp-session-id'] as string | undefined
      const access = await app.oauth.authenticate(token, sessionId ?? null)
      if (!access) {
        const hasEnded = token !== '' && (await app.oauth.hasEnded(token))
        throw bearerError(reply, challenge(), 'invalid_token', hasEnded ? ENDED : undefined)
      }
      if (!permits(access, request.endpoint)) {
        const own = endpointUrl(baseUrl, access.resource)
        const elsewhere = `This access token is for ${own}, not for this endpoint. Use that address, or ask the user to connect again.`
        if (access.resourceSent) throw bearerError(reply, challenge(), 'invalid_token', elsewhere)
        // 401 would make such a client refresh forever: its next token is for the same endpoint (RULES P11).
        const description = `This connection cannot use this endpoint. Use ${own} instead.`
        throw bearerError(reply, challenge(), 'insufficient_scope', description)
      }
      if (!access.tokenScope.includes(READ)) throw bearerError(reply, challenge(), 'insufficient_scope')
      const { origin } = request.headers
      if (
        origin !== undefined &&
        origin !== baseUrl &&
        !allowedOrigins.includes(origin) &&
        !isLoopbackOrigin(origin)
      ) {
        throw new DomainError(403, 'forbidden_origin', 'This origin is not allowed to call this endpoint.')
      }
      if (!request.raw.admission?.connectionId) {
        app.rateLimiter.rememberToken(token, access.connectionId, access.accountId)
        const tooMany = app.rateLimiter.take(access.connectionId)
        if (tooMany) throw tooMany
      }
      request.access = access
    })
  },
  { name: 'bearer', dependencies: ['config', 'oauth', 'rate-limits', 'load-shedding'] },
)

/** Points to the resource metadata (RFC 9728 §5.1), with a URL built from BASE_URL alone (RULES M4). */
function challengeFor(baseUrl: string, endpoint: Resource, scope = READ): string {
  const metadata = endpointUrl(`${baseUrl}/.well-known/oauth-protected-resource`, endpoint)
  return `Bearer resource_metadata="${metadata}", scope="${scope}"`
}

function bearerError(
  reply: FastifyReply,
  challenge: string,
  error: BearerError,
  description = ERRORS[error].description,
): DomainError {
  const { status } = ERRORS[error]
  reply.header('WWW-Authenticate', `${challenge}, error="${error}", error_description="${description}"`)
  return new DomainError(status, error, description)
}

/** Reads the token of the single `Authorization: Bearer` header. Query and body are ignored (RULES P7). */
function readToken({ headers, raw }: FastifyRequest): { token: string | null; error?: BearerError } {
  const { authorization } = headers
  if (!authorization) return { token: null }
  if (countHeader(raw.rawHeaders, 'authorization') > 1) return { token: null, error: 'invalid_request' }
  const token = bearerToken(authorization)
  return token === null || isToken(token) ? { token } : { token: null, error: 'invalid_token' }
}
