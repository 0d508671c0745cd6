import type { FastifyInstance } from 'fastify'
import { failureOf } from '../../plugins/errors.js'
import { errorPage } from '../../plugins/views.js'

/** A page for every error of one plugin's routes, whatever `Accept` says: only browsers with people come here. */
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
