import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import { countHeader } from '../common/count-header.js'
import { DomainError } from '../common/domain-error.js'
import { isLoopbackOrigin } from '../common/origin.js'
import type { Access, Resource } from '../oauth/connections/access.js'
import { endpointUrl, permits } from '../oauth/resource.js'

const SCOPE = 'vault:read'

/** Why a request is not let in: RFC 6750 §3.1, in the terms of `WWW-Authenticate`. */
type Fault = 'invalid_request' | 'invalid_token' | 'insufficient_scope'

const refusals: Record<Fault, { status: number; description: string }> = {
  invalid_request: { status: 400, description: 'Send exactly one Authorization header.' },
  invalid_token: {
    status: 401,
    description: 'The access token is unknown, expired, revoked or for another endpoint.',
  },
  insufficient_scope: { status: 403, description: `This needs the scope ${SCOPE}.` },
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * A hook that lets in what carries an access token for the endpoint of its route (RULES P3–P7), from an origin
     * that is allowed (P9), as often as its connection may call, and leaves what the token proves in `request.access`.
     * Runs before a body is read.
     */
    bearer: onRequestAsyncHookHandler
  }
  interface FastifyRequest {
    access: Access | null
    /** Which MCP endpoint the request is for; set by its route. */
    endpoint: Resource
  }
}

export default fp(
  async function bearerPlugin(app: FastifyInstance) {
    const { baseUrl, allowedOrigins } = app.config

    app.decorateRequest('access', null)
    app.decorateRequest('endpoint', 'user')
    app.decorate('bearer', async (request: FastifyRequest, reply: FastifyReply) => {
      const challenge = () => challengeFor(baseUrl, request.endpoint)
      const { token, fault } = readToken(request)
      if (fault) throw refuse(reply, challenge(), fault)
      if (token === null) {
        // Without credentials there is no error to tell, only where to get a token (RFC 6750 §3).
        reply.header('WWW-Authenticate', challenge())
        throw new DomainError(401, 'unauthorized', 'An access token is needed.')
      }
      const sessionId = request.headers['mcp-session-id'] as string | undefined
      const access = await app.oauth.authenticate(token, sessionId ?? null)
      if (!access || !permits(access, request.endpoint)) throw refuse(reply, challenge(), 'invalid_token')
      if (!access.tokenScope.includes(SCOPE)) throw refuse(reply, challenge(), 'insufficient_scope')
      const { origin } = request.headers
      if (
        origin !== undefined &&
        origin !== baseUrl &&
        !allowedOrigins.includes(origin) &&
        !isLoopbackOrigin(origin)
      ) {
        throw new DomainError(403, 'forbidden_origin', 'Pages of this origin may not call the MCP endpoint.')
      }
      if (!request.raw.judgement?.connectionId) {
        app.callLimits.proved(token, access.connectionId)
        const tooMany = app.callLimits.take(access.connectionId)
        if (tooMany) throw tooMany
      }
      request.access = access
    })
  },
  { name: 'bearer', dependencies: ['config', 'oauth', 'call-limits', 'door'] },
)

/** RFC 9728 §5.1: where to read how to get a token for this endpoint. From BASE_URL alone (RULES M4). */
function challengeFor(baseUrl: string, endpoint: Resource): string {
  const metadata = endpointUrl(`${baseUrl}/.well-known/oauth-protected-resource`, endpoint)
  return `Bearer resource_metadata="${metadata}", scope="${SCOPE}"`
}

function refuse(reply: FastifyReply, challenge: string, fault: Fault): DomainError {
  const { status, description } = refusals[fault]
  reply.header('WWW-Authenticate', `${challenge}, error="${fault}", error_description="${description}"`)
  return new DomainError(status, fault, description)
}

/** The token of the one `Authorization: Bearer` header; other places are not looked at (RULES P7). */
function readToken({ headers, raw }: FastifyRequest): { token: string | null; fault?: Fault } {
  const { authorization } = headers
  if (!authorization) return { token: null }
  if (countHeader(raw.rawHeaders, 'authorization') > 1) return { token: null, fault: 'invalid_request' }
  const [scheme = ''] = authorization.split(/\s/, 1)
  if (scheme.toLowerCase() !== 'bearer') return { token: null }
  const token = authorization.slice(scheme.length).replace(/^ +/, '')
  return /^[\w.~+/-]+=*$/.test(token) ? { token } : { token: null, fault: 'invalid_token' }
}
