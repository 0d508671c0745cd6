import { STATUS_CODES } from 'node:http'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { failureOf } from '../../plugins/errors.js'

/** Members of a problem besides the standard ones (RFC 9457 §3.2). */
interface ProblemDetails {
  /** SHA-256 of the contents that a sync run still needs. */
  wanted?: string[]
}

/** Sends every error of the API as `application/problem+json` (RFC 9457). */
export function sendProblem(error: Error, request: FastifyRequest, reply: FastifyReply) {
  const { status, code, message, retryAfter } = failureOf(error)
  if (status >= 500 && status !== 503) request.log.error({ err: error }, 'request failed')
  if (retryAfter) reply.header('Retry-After', retryAfter)
  const { details } = error as { details?: ProblemDetails }
  const detail = invalidInput(error as FastifyError) ?? message
  return reply
    .code(status)
    .header('Cache-Control', 'no-store')
    .type('application/problem+json')
    .send({ ...problem(status, detail, codeOf(status, code)), ...details })
}

/** Answers 404 as a problem (RFC 9457). */
export function sendNotFound(_request: FastifyRequest, reply: FastifyReply) {
  return reply
    .code(404)
    .type('application/problem+json')
    .send(problem(404, 'There is nothing at this address.', 'not_found'))
}

/** `about:blank`: the title is that of the status (RFC 9457 §4.2.1). */
const problem = (status: number, detail: string, code: string) => ({
  type: 'about:blank',
  title: STATUS_CODES[status] ?? 'Error',
  status,
  detail,
  code,
})

const OWN_CODES: Record<number, string> = { 413: 'too_large', 415: 'unsupported_media_type' }

/** Fastify's own codes may change with its versions. */
const codeOf = (status: number, code: string) =>
  code.startsWith('FST_') ? (OWN_CODES[status] ?? 'invalid_request') : code

/** Names the member and its expected value. The validator's sentences contain no data of ours. */
function invalidInput({ validation, validationContext }: FastifyError): string | null {
  const [first] = validation ?? []
  if (!first) return null
  const member = first.instancePath.slice(1).replaceAll('/', '.')
  return `${member === '' ? `The ${validationContext ?? 'body'}` : `“${member}”`}: ${first.message}.`
}
