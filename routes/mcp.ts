import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Dispatch } from '../mcp/dispatch.js'
import { CODES, failure, jsonOf, RpcError, type RpcFailure } from '../mcp/json-rpc.js'
import { namesStateless } from '../mcp/revisions/protocol-version.js'
import { version } from '../platform/common/package.js'
import { failureOf } from '../plugins/errors.js'
import type { RawResponse } from '../plugins/load-shedding.js'
import { accessOf } from './api/access.js'
import { type CorsOptions, corsHeaders, enableCors } from './cross-origin.js'

const ALLOW = 'POST, DELETE'
const OTHER_METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'TRACE', 'OPTIONS']

/** The headers that browser clients send and read (RULES P8). */
export const MCP_CORS: CorsOptions = {
  methods: ['POST', 'GET', 'DELETE'],
  accepts: [
    'authorization',
    'content-type',
    'accept',
    'mcp-protocol-version',
    'mcp-session-id',
    'mcp-method',
    'mcp-name',
    'last-event-id',
  ],
  exposes: ['WWW-Authenticate', 'Mcp-Session-Id', 'Retry-After'],
}

/**
 * `POST /mcp/v1` and `POST /mcp/v1/{safeId}` (SPEC §4.5, §4.6): Streamable HTTP with plain JSON responses.
 */
export default async function mcpRoutes(app: FastifyInstance) {
  const { traces } = app
  const dispatch = new Dispatch({
    brand: app.config.brand,
    version,
    baseUrl: app.config.baseUrl,
    domain: {
      safes: app.safes,
      sessions: app.oauth.sessions,
      activity: app.activity,
      ...(app.config.hasProposals ? { proposals: app.proposals } : {}),
    },
    isUnavailable: error => failureOf(error).status === 503,
    report: error => report(app, error),
    ...(traces ? { traced: (request, work) => traces.mcpRequest(request, work) } : {}),
  })
  app.addHook('onClose', async () => dispatch.close())
  enableCors(app, MCP_CORS)

  app.setErrorHandler(sendError)
  app.rejectBeforeRouting('/mcp/v1', formOf, errorAnswer)
  app.removeAllContentTypeParsers()
  // Parsed later, so that syntax errors become JSON-RPC errors (RULES X4).
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )

  app.addHook('onRequest', (request, _reply, done) => {
    const { safeId } = request.params as { safeId?: string }
    if (safeId) request.endpoint = `safe:${safeId}`
    done()
  })
  app.addHook('onRequest', app.bearer)

  const pinned = '/mcp/v1/:safeId(^[\\w-]{1,64}$)'
  for (const url of ['/mcp/v1', '/mcp/v1/', pinned, `${pinned}/`]) {
    app.post(url, (request, reply) => handlePost(dispatch, request, reply))
    app.delete(url, (request, reply) => endSession(dispatch, request, reply))
    // In `onRequest`, so that a wrong method is reported before the body is read (RULES X12).
    app.route({ method: OTHER_METHODS, url, onRequest: rejectMethod, handler: rejectMethod })
  }
}

async function handlePost(dispatch: Dispatch, request: FastifyRequest, reply: FastifyReply) {
  if (typeof request.body !== 'string') throw new RpcError(CODES.refused, NOT_JSON, 415)
  const { oauth, rateLimiter } = request.server
  const access = accessOf(request)
  const { connectionId } = access
  const call = {
    access,
    endpoint: request.endpoint,
    protocolVersion: protocolVersionOf(request),
    mcpMethod: headerOf(request, 'mcp-method'),
    mcpName: headerOf(request, 'mcp-name'),
    sessionId: headerOf(request, 'mcp-session-id'),
    body: request.body,
    meter: {
      calls: (count: number) => rateLimiter.charge(connectionId, count),
      work: (ms: number) => rateLimiter.chargeTime(connectionId, ms),
    },
    hangUp: () => hangUpSignal(reply),
  }
  oauth.usage.touch(connectionId)
  const { status, body, sessionId } = await rateLimiter.run(connectionId, () => dispatch.answer(call))
  if (sessionId) reply.header('Mcp-Session-Id', sessionId)
  reply.code(status)
  if (!body) return reply.send()
  return reply.type('application/json; charset=utf-8').send(jsonOf(body))
}

async function endSession(dispatch: Dispatch, request: FastifyRequest, reply: FastifyReply) {
  const sessionId = headerOf(request, 'mcp-session-id')
  await dispatch.endSession(accessOf(request), sessionId, protocolVersionOf(request))
  return reply.code(204).send()
}

/** GET is not supported, because this server opens no streams (DESIGN §5.8). */
async function rejectMethod(_request: FastifyRequest, reply: FastifyReply) {
  reply.header('Allow', ALLOW)
  throw new RpcError(CODES.refused, `This endpoint supports ${ALLOW}.`, 405)
}

const NOT_JSON = 'Send JSON with "Content-Type: application/json".'

/** Sends every error of these routes as a JSON-RPC error without a request id. */
function sendError(error: Error & { code?: string }, request: FastifyRequest, reply: FastifyReply) {
  reply.header('Cache-Control', 'no-store')
  const form = formOf(request.headers)
  if (error instanceof RpcError) return reply.code(error.status).send(failureWithoutId(error, form))
  const { status, message, retryAfter } = failureOf(error)
  if (retryAfter) reply.header('Retry-After', retryAfter)
  reply.code(status)
  if (status >= 500 && status !== 503) {
    const text = `Something went wrong on our side (reference ${report(request.server, error)}).`
    return reply.send(failureWithoutId({ code: CODES.internalError, message: text }, form))
  }
  const text = status === 415 ? NOT_JSON : message
  return reply.send(failureWithoutId({ code: CODES.refused, message: text }, form))
}

type Form = 'stateless' | 'earlier'

/** How a client that sends these headers reads an error. */
export const formOf = (headers: IncomingHttpHeaders): Form =>
  namesStateless(headers['mcp-protocol-version'] as string | undefined) ? 'stateless' : 'earlier'

/** An error without a request id. MCP 2026-07-28 reserves the range of our own codes (RULES N10). */
export function failureWithoutId(
  { code, message }: { code: number; message: string },
  form: Form,
): RpcFailure {
  if (form === 'earlier') return failure(null, { code, message })
  return failure(undefined, { code: code === CODES.refused ? CODES.invalidRequest : code, message })
}

/** The serialized response of `sendError` to an error that is not a server error. */
function errorAnswer(error: Error, form: Form): RawResponse {
  const { status, message, retryAfter } = failureOf(error)
  const body = JSON.stringify(failureWithoutId({ code: CODES.refused, message }, form))
  const headers = {
    ...corsHeaders(MCP_CORS),
    'cache-control': 'no-store',
    ...(retryAfter ? { 'retry-after': `${retryAfter}` } : {}),
    'content-type': 'application/json; charset=utf-8',
    'content-length': `${Buffer.byteLength(body)}`,
  }
  return { status, headers: Object.entries(headers).flat(), body }
}

/** Logs a server error. Returns a reference for the client, which receives no other details (RULES X4). */
function report(app: FastifyInstance, error: unknown): string {
  const reference = crypto.randomUUID().slice(0, 8)
  app.log.error({ err: error, reference }, 'MCP request failed')
  return reference
}

const protocolVersionOf = (request: FastifyRequest) => headerOf(request, 'mcp-protocol-version')

/** Aborts when the client closes the connection before it has received the whole response. */
function hangUpSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const abort = () => {
    if (!raw.writableFinished) controller.abort()
  }
  if (raw.destroyed) abort()
  else raw.once('close', abort)
  return controller.signal
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  return request.headers[name] as string | undefined
}
