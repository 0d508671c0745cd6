import type { FastifyInstance } from 'fastify'
import { OAuthError } from '../../domain/oauth/error.js'
import { DomainError } from '../../platform/common/domain-error.js'
import { failureOf } from '../../plugins/errors.js'

/** Makes the routes of a plugin send errors as OAuth JSON (RFC 6749 §5.2), regardless of `Accept`. */
export function useJsonErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    reply.headers(NO_STORE)
    if (error instanceof OAuthError) {
      request.log.info({ error: error.code, reason: error.reason }, 'request refused')
      if (error.status === 401 && /^basic\b/i.test(request.headers.authorization ?? '')) {
        reply.header('WWW-Authenticate', 'Basic realm="OAuth"')
      }
      return reply.code(error.status).send({ error: error.code, error_description: error.description })
    }
    const { status, code, message, retryAfter } = failureOf(error)
    if (status >= 500) request.log.error({ err: error }, 'request failed')
    if (retryAfter) reply.header('Retry-After', retryAfter)
    if (status >= 500 || error instanceof DomainError) {
      return reply.code(status).send({ error: code, error_description: message })
    }
    const description = status === 415 ? wrongType(request.url) : message.replace(/["\\]/g, "'")
    return reply
      .code(status === 415 ? 400 : status)
      .send({ error: 'invalid_request', error_description: description })
  })
}

/** The expected type of the body: a form, or JSON for a registration. */
const wrongType = (url: string) =>
  `Send the body ${/\/register\b/.test(url) ? 'as JSON: Content-Type application/json' : 'form-encoded: Content-Type application/x-www-form-urlencoded'}.`

/** These responses must not be cached (RFC 6749 §5.1). */
export const NO_STORE = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }
