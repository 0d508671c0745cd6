import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { DomainError } from '../platform/common/domain-error.js'
import { Unavailable } from '../platform/common/unavailable.js'
import { isRedisUnavailable } from '../platform/storage/redis/client.js'
import { errorTexts } from '../views/texts/error.js'
import { errorPage } from './views.js'

/** The response to a failed request. It never contains a stack trace. */
export interface Failure {
  status: number
  /** Stable, snake_case. */
  code: string
  message: string
  retryAfter?: number
}

const sentences = errorTexts.sentences

/** Maps any thrown value to a response. Details of internal errors appear in the log only. */
export function failureOf(error: unknown): Failure {
  if (error instanceof DomainError) {
    const { status, code, message, retryAfter } = error
    return { status, code, message, ...(retryAfter ? { retryAfter } : {}) }
  }
  if (error instanceof Unavailable || isRedisUnavailable(error)) {
    return { status: 503, code: 'temporarily_unavailable', message: sentences.unavailable, retryAfter: 2 }
  }
  if (isDiskFull(error)) {
    return { status: 503, code: 'temporarily_unavailable', message: sentences.diskFull, retryAfter: 30 }
  }
  const { statusCode: status = 500, message, code, validation } = error as Partial<FastifyError>
  if (validation) return { status, code: 'invalid_request', message: invalidInput(validation) }
  if (status >= 500) {
    return { status: 500, code: 'server_error', message: sentences.internal }
  }
  // Fastify's own messages are meant for clients; those of other errors with a status may reveal internals.
  if (!code?.startsWith('FST_') || !message) {
    return { status, code: 'invalid_request', message: sentences.invalidRequest }
  }
  return { status, code, message }
}

/** Explains invalid input to people, without the validator's text. */
function invalidInput(validation: NonNullable<FastifyError['validation']>): string {
  const limit = validation[0]?.params.tooLongFor
  return typeof limit === 'number' ? sentences.tooLong(limit) : sentences.incomplete
}

/** Reported by the file system, a quota, or SQLite (https://sqlite.org/rescode.html#full). */
function isDiskFull(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException
  return ['SQLITE_FULL', 'ENOSPC', 'EDQUOT'].includes(code)
}

/** Browsers, which accept `text/html`, get a page; other clients get JSON. */
export const wantsPage = (request: FastifyRequest) => request.headers.accept?.includes('text/html') ?? false

const NOT_FOUND = { status: 404, code: 'not_found', message: sentences.notFound }

function replyWith(failure: Failure, request: FastifyRequest, reply: FastifyReply) {
  reply.code(failure.status).header('Cache-Control', 'no-store')
  if (failure.retryAfter) reply.header('Retry-After', failure.retryAfter)
  if (wantsPage(request)) {
    return reply.page('error', errorPage(failure.status, failure.message, request.id))
  }
  return reply.send({ error: failure.code, error_description: failure.message })
}

/** The default error handler. OAuth and MCP routes have their own. */
export default fp(
  async function errorsPlugin(app: FastifyInstance) {
    app.setErrorHandler((error, request, reply) => {
      const failure = failureOf(error)
      if (failure.status >= 500) request.log.error({ err: error }, 'request failed')
      else request.log.info({ status: failure.status, reason: (error as Error).message }, 'request rejected')
      return replyWith(failure, request, reply)
    })
    app.setNotFoundHandler((request, reply) => replyWith(NOT_FOUND, request, reply))
  },
  { name: 'errors', dependencies: ['views'] },
)
