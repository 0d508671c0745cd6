import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../common/domain-error.js'
import type { Parameters } from '../../oauth/parameters.js'
import { rejectOtherMethods } from './method-not-allowed.js'
import { useErrorPages } from './page-errors.js'

const QUERY_LIMIT = 8 * 1024

/** The authorization endpoint (RFC 6749 §3.1, SPEC §4.2). It decides nothing: the consent page does. */
export default async function authorizeRoutes(app: FastifyInstance) {
  useErrorPages(app)

  // The alias is MCP 2025-03-26's fallback for clients without discovery (RULES M6).
  for (const url of ['/oauth/authorize', '/authorize']) {
    app.route({ method: ['GET', 'HEAD'], url, handler: authorize })
    rejectOtherMethods(app, url, ['GET', 'HEAD'])
  }

  async function authorize(request: FastifyRequest, reply: FastifyReply) {
    const query = request.url.split('?').slice(1).join('?')
    if (query.length > QUERY_LIMIT) throw new DomainError(414, 'too_long', 'This address is too long.')
    const read = await app.oauth.authorization.read(request.query as Parameters, query)
    reply.header('Cache-Control', 'no-store')
    if ('errorUrl' in read) {
      request.log.info({ error: read.error.code, reason: read.error.reason }, 'request refused')
      return reply.redirect(read.errorUrl)
    }
    if (request.method === 'HEAD') return reply.code(200).send()
    return reply.redirect(`/oauth/consent/${app.oauth.authorization.seal(read.request, request.browser)}`)
  }
}
