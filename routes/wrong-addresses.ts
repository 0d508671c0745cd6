import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CODES } from '../mcp/json-rpc.js'
import { DomainError } from '../platform/common/domain-error.js'
import { wantsPage } from '../plugins/errors.js'
import { errorTexts } from '../views/texts/error.js'
import { enableCors } from './cross-origin.js'
import { failureWithoutId, formOf, MCP_CORS } from './mcp.js'

/** Usual addresses of MCP endpoints of other services, or incomplete ones of ours. */
const WRONG = ['/mcp', '/mcp/*', '/sse', '/sse/']

/**
 * Answers MCP requests at a wrong address with the right one: in a JSON-RPC error for programs, on a page for
 * browsers. A program with a token is redirected from `/mcp` to the endpoint; others could not sign in, because the
 * endpoint's metadata would not match the address they use (RFC 9728 §3.3).
 */
export default async function wrongAddresses(app: FastifyInstance) {
  enableCors(app, MCP_CORS)
  for (const url of WRONG)
    app.route({ method: ['GET', 'POST', 'DELETE', 'OPTIONS'], url, onRequest: answer, handler: answer })
  app.route({ method: ['POST', 'OPTIONS'], url: '/', onRequest: answerJson, handler: answer })
}

async function answer(request: FastifyRequest, reply: FastifyReply) {
  const message = errorTexts.sentences.wrongMcpAddress(`${request.server.config.baseUrl}/mcp/v1`)
  if (wantsPage(request)) throw new DomainError(404, 'not_found', message)
  const isSentOn = request.url === '/mcp' && request.headers.authorization !== undefined
  if (isSentOn) reply.header('Location', '/mcp/v1')
  reply.code(isSentOn ? 307 : 404).header('Cache-Control', 'no-store')
  return reply.send(failureWithoutId({ code: CODES.refused, message }, formOf(request.headers)))
}

async function answerJson(request: FastifyRequest, reply: FastifyReply) {
  if (request.headers['content-type']?.startsWith('application/json')) return answer(request, reply)
  reply.callNotFound()
  return reply
}
