import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Parameters } from '../../domain/oauth/parameters.js'
import { oauthTexts } from '../../domain/oauth/texts.js'
import { DomainError } from '../../platform/common/domain-error.js'
import { rejectOtherMethods } from './method-not-allowed.js'
import { useErrorPages } from './page-errors.js'

const MAX_QUERY_LENGTH = 8 * 1024

/** The authorization endpoint (RFC 6749 §3.1, SPEC §4.2). It redirects to the consent page, where the user decides. */
export default async function authorizeRoutes(app: FastifyInstance) {
  useErrorPages(app)

  // `/authorize` is the fallback of MCP 2025-03-26 for clients without discovery (RULES M6).
  for (const url of ['/oauth/authorize', '/authorize']) {
    app.route({ method: ['GET', 'HEAD'], url, handler: authorize })
    rejectOtherMethods(app, url, ['GET', 'HEAD'])
  }

  async function authorize(request: FastifyRequest, reply: FastifyReply) {
    const query = request.url.split('?').slice(1).join('?')
    if (query.length > MAX_QUERY_LENGTH) throw new DomainError(414, 'too_long', oauthTexts.tooLong)
    const result = await app.oauth.authorization.read(request.query as Parameters, query)
    reply.header('Cache-Control', 'no-store')
    if ('errorUrl' in result) {
      request.log.info({ error: result.error.code, reason: result.error.reason }, 'request refused')
      return reply.redirect(result.errorUrl)
    }
    if (request.method === 'HEAD') return reply.code(200).send()
    return reply.redirect(`/oauth/consent/${app.oauth.authorization.seal(result.request, request.browser)}`)
  }
}
