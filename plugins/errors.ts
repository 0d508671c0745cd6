import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { DomainError } from '../common/domain-error.js'
import { showNumber } from '../common/format.js'
import { Unavailable } from '../common/unavailable.js'
import { isRedisUnavailable } from '../storage/redis/client.js'
import { errorPage } from './views.js'

/** What a failed request is told: a status, a stable code and a sentence. Never a stack trace. */
export interface Failure {
  status: number
  code: string
  message: string
  retryAfter?: number
}

/** Turns anything thrown into what the sender is told. What is not the sender's fault stays in the log. */
export function failureOf(error: unknown): Failure {
  if (error instanceof DomainError) {
    const { status, code, message, retryAfter } = error
    return { status, code, message, ...(retryAfter ? { retryAfter } : {}) }
  }
  if (error instanceof Unavailable || isRedisUnavailable(error)) {
    const message = 'The service is busy or one of its stores is away. Please try again.'
    return { status: 503, code: 'temporarily_unavailable', message, retryAfter: 2 }
  }
  if (isDiskFull(error)) {
    const message = 'There is no room left on the disk, so nothing can be written. What is there can be read.'
    return { status: 503, code: 'temporarily_unavailable', message, retryAfter: 30 }
  }
  const { statusCode: status = 500, message, code, validation } = error as Partial<FastifyError>
  if (validation) return { status, code: 'invalid_request', message: invalid(validation) }
  if (status >= 500) {
    return { status: 500, code: 'server_error', message: 'Something went wrong on our side.' }
  }
  // Fastify words its own refusals for the sender; whatever else brings a status was not written to be read by strangers.
  if (!code?.startsWith('FST_') || !message) {
    return { status, code: 'invalid_request', message: 'The request cannot be answered.' }
  }
  return { status, code, message }
}

/** For people: a link that was cut or a form that was changed, and not what the schema says about it. */
function invalid(validation: NonNullable<FastifyError['validation']>): string {
  const limit = validation[0]?.params.tooLongFor
  return typeof limit === 'number'
    ? `That text is too long. At most ${showNumber(limit)} characters are possible. Please go back and shorten it.`
    : 'This link or form is not complete. Please go back and try again.'
}

/** A file system or a quota says so, or SQLite does (https://sqlite.org/rescode.html#full). */
function isDiskFull(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException
  return ['SQLITE_FULL', 'ENOSPC', 'EDQUOT'].includes(code)
}

/** People get a page, programs get JSON: whoever asks for HTML by name is a person's browser. */
export const wantsPage = (request: FastifyRequest) => request.headers.accept?.includes('text/html') ?? false

const NOTHING_HERE = { status: 404, code: 'not_found', message: 'There is nothing at this address.' }

function replyWith(failure: Failure, request: FastifyRequest, reply: FastifyReply) {
  reply.code(failure.status).header('Cache-Control', 'no-store')
  if (failure.retryAfter) reply.header('Retry-After', failure.retryAfter)
  if (wantsPage(request)) {
    return reply.page('error', errorPage(failure.status, failure.message, request.id))
  }
  return reply.send({ error: failure.code, error_description: failure.message })
}

/** The error handler of everything that has none of its own (OAuth and MCP answer in their own forms). */
export default fp(
  async function errorsPlugin(app: FastifyInstance) {
    app.setErrorHandler((error, request, reply) => {
      const failure = failureOf(error)
      if (failure.status >= 500) request.log.error({ err: error }, 'request failed')
      else request.log.info({ status: failure.status, reason: (error as Error).message }, 'request refused')
      return replyWith(failure, request, reply)
    })
    app.setNotFoundHandler((request, reply) => replyWith(NOTHING_HERE, request, reply))
  },
  { name: 'errors', dependencies: ['views'] },
)
