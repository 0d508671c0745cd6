import type { FastifyInstance } from 'fastify'
import { failureOf } from '../../plugins/errors.js'
import { errorPage } from '../../plugins/views.js'

/** Makes the routes of a plugin send errors as pages, regardless of `Accept`: only people use them, in browsers. */
export function useErrorPages(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const { status, message, retryAfter } = failureOf(error)
    if (status >= 500) request.log.error({ err: error }, 'request failed')
    else request.log.info({ status, reason: (error as Error).message }, 'request refused')
    if (retryAfter) reply.header('Retry-After', retryAfter)
    reply.code(status).header('Cache-Control', 'no-store')
    return reply.page('error', errorPage(status, message, request.id))
  })
}
