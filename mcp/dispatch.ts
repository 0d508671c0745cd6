import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import pLimit, { type LimitFunction } from 'p-limit'
import { type Access, allowedSafes, type Resource } from '../domain/oauth/connections/access.js'
import type { Clock } from '../platform/common/clock.js'
import { words } from '../platform/common/words.js'
import type { Meter, RequestContext } from './context.js'
import { showsApps } from './graph-app.js'
import { CODES, failure, type Result, RpcError, type RpcRequest, type RpcResponse } from './json-rpc.js'
import { hungUp, PendingRequests } from './pending-requests.js'
import { classify, type MirroredHeaders } from './revisions/classify.js'
import {
  idOf,
  isObject,
  type Message,
  readBatch,
  readBody,
  readMessage,
  unreadableId,
} from './revisions/envelope.js'
import { BASELINE, requestRevision, STATELESS } from './revisions/protocol-version.js'
import { type Stamp, stampOf } from './revisions/stamp.js'
import { type Handlers, openHandlers, type ServerOptions } from './server.js'
import { type Handle, type Traced, tracedHandle } from './traced.js'

/** Maximum time of a request, regardless of its handler. */
const REQUEST_TIMEOUT_MS = 20_000

/** Messages of clients that open a session before every call; they cost the rate limit a fifth of a request (RULES R8). */
const LITTLE = words('initialize notifications/initialized tools/list server/discover')
const LITTLE_LESS = 0.8

/** An authenticated POST request. */
export interface Call extends MirroredHeaders {
  access: Access
  /** The endpoint that was called. */
  endpoint: Resource
  /** The `Mcp-Session-Id` header. */
  sessionId: string | undefined
  body: string
  meter: Meter
  /** Returns a signal that aborts when the client hangs up. */
  hangUp(): AbortSignal
}

interface Reply {
  status: number
  /** Absent if the body contains no request (202). */
  body?: RpcResponse | RpcResponse[]
  /** The id of the session that `initialize` opened. */
  sessionId?: string
}

export interface DispatchOptions extends ServerOptions {
  /** Whether an error fails the whole HTTP request, because a store is unavailable, and not just one response. */
  isUnavailable(error: unknown): boolean
  /** Logs a server error and returns the reference that the client receives instead. */
  report(error: unknown): string
  traced?: Traced
  timeoutMs?: number
  /** Default: `performance.now`. */
  clock?: Clock
}

/**
 * The MCP endpoint, independent of HTTP: determines the revision of a body, the handler of each request, and
 * the handling of errors. All connections share it and its handlers (RULES X13).
 */
export class Dispatch {
  readonly #options: DispatchOptions
  readonly #handlers: Handlers
  readonly #pending: PendingRequests
  readonly #handle: Handle
  readonly #stamp: Stamp
  readonly #turns = new LRUCache<string, LimitFunction>({ max: 1000 })

  constructor(options: DispatchOptions) {
    const {
      brand,
      version,
      traced,
      timeoutMs = REQUEST_TIMEOUT_MS,
      clock = () => performance.now(),
    } = options
    this.#options = options
    this.#handlers = openHandlers(options)
    this.#pending = new PendingRequests(timeoutMs, clock)
    this.#stamp = stampOf({ name: brand, version })
    const handle: Handle = (request, context) => this.handle(request, context)
    this.#handle = traced ? tracedHandle(handle, traced, brand) : handle
  }

  /** The number of unanswered requests. */
  get pending(): number {
    return this.#pending.size
  }

  /** Answers a POST request. Throws only if a store is unavailable. */
  async answer(call: Call): Promise<Reply> {
    let body: unknown
    try {
      body = readBody(call.body, call.protocolVersion)
      const stateless = classify(body, call)
      return await (stateless ? this.#answerStateless(stateless, call) : this.#answerEarlier(body, call))
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      const id = idOf(body) ?? unreadableId(call.protocolVersion)
      return { status: error.status, body: failure(id, error) }
    }
  }

  /** Calls the handler of a request. Rejects only if a store is unavailable; every other error becomes a response. */
  async handle(request: RpcRequest, context: RequestContext): Promise<RpcResponse> {
    const { id, method } = request
    if (context.signal?.aborted) return failure(id, hungUp())
    const handler = this.#handlers.get(method)
    if (!handler) return failure(id, new RpcError(CODES.methodNotFound, 'Method not found'))
    try {
      const answered = handler(request.params, context)
      if (LITTLE.has(method)) context.meter.calls(-LITTLE_LESS)
      const result =
        answered instanceof Promise ? await this.#pending.wait(answered, context.signal) : answered
      return { jsonrpc: '2.0', id, result }
    } catch (error) {
      if (error instanceof RpcError) return failure(id, error)
      if (this.#options.isUnavailable(error)) throw error
      const message = `Something went wrong on our side (reference ${this.#options.report(error)}).`
      return failure(id, { code: CODES.internalError, message })
    }
  }

  /** Ends the session named by a DELETE request. @throws RpcError 400 for an unsupported revision, 404 */
  async endSession(access: Access, sessionId: string | undefined, protocolVersion?: string): Promise<void> {
    requestRevision(protocolVersion, null)
    requireSession(sessionId, access)
    if (sessionId !== undefined) await this.#options.domain.sessions.end(access, sessionId)
  }

  /** Answers pending requests with an error and stops. */
  close(): void {
    this.#pending.close()
  }

  /** A message of MCP 2026-07-28. It has no session, and hanging up cancels it (RULES N11, N13). */
  async #answerStateless(message: Message, call: Call): Promise<Reply> {
    if (message.kind !== 'request') return replyWithout(message)
    const { request } = message
    const access = { ...call.access, session: null }
    const known = contextOf(call, STATELESS, request.showsApps ?? false)
    const context = { ...known, access, signal: call.hangUp() }
    return { status: 200, body: this.#stamp(request.method, await this.#handle(request, context)) }
  }

  /** A body of an earlier revision. */
  async #answerEarlier(body: unknown, call: Call): Promise<Reply> {
    const { protocolVersion, access } = call
    const { session } = access
    if (isObject(body) && body.method === 'initialize') {
      const message = readMessage(body)
      if (message.kind === 'request') return this.#initialize(message.request, call)
    }
    const context = contextOf(call, requestRevision(protocolVersion, session), session?.showsApps ?? false)
    requireSession(call.sessionId, access)
    // Whether batches are allowed depends on the header, not on the revision of the session (RULES X3).
    if (Array.isArray(body)) return this.#answerBatch(readBatch(body, protocolVersion ?? BASELINE), context)
    const message = readMessage(body)
    if (message.kind === 'unanswered' && isObject(body) && LITTLE.has(String(body.method)))
      call.meter.calls(-LITTLE_LESS)
    if (message.kind !== 'request') return replyWithout(message)
    return { status: 200, body: await this.#handle(message.request, context) }
  }

  /** Negotiates the revision and starts a new session, so headers of an earlier session are ignored (RULES X7). */
  async #initialize(request: RpcRequest, call: Call): Promise<Reply> {
    const revision = requestRevision(undefined, call.access.session)
    const context = contextOf(call, revision, showsApps(request.params?.capabilities))
    const body = await this.#handle(request, context)
    if (!('result' in body)) return { status: 200, body }
    const client = { protocolVersion: negotiatedIn(body.result), showsApps: context.showsApps }
    return { status: 200, body, sessionId: await this.#options.domain.sessions.open(call.access, client) }
  }

  /** Answers one message of an account's batches per turn of the event loop. */
  async #answerBatch(messages: Message[], context: RequestContext): Promise<Reply> {
    context.meter.calls(messages.length - 1)
    const { accountId } = context.access
    const turn = this.#turns.get(accountId) ?? pLimit(1)
    this.#turns.set(accountId, turn)
    const responses: RpcResponse[] = []
    for (const message of messages) {
      if (message.kind === 'refused') responses.push(message.response)
      if (message.kind !== 'request') continue
      responses.push(await turn(() => this.#handle(message.request, context)))
      await turn(() => nextTurn())
    }
    return responses.length === 0 ? { status: 202 } : { status: 200, body: responses }
  }
}

/** The reply to a message that no handler answers. */
const replyWithout = (message: Exclude<Message, { kind: 'request' }>): Reply =>
  message.kind === 'refused' ? { status: message.status, body: message.response } : { status: 202 }

const negotiatedIn = (result: Result) => result.protocolVersion as string

function contextOf({ access, endpoint, meter }: Call, revision: string, showsApps: boolean): RequestContext {
  const allowedSafeIds = endpoint === 'user' ? allowedSafes(access) : [endpoint.slice('safe:'.length)]
  return { access, allowedSafeIds, revision, meter, showsApps }
}

/**
 * Sessions are optional, but if a request names one, it must exist and belong to the connection. On 404,
 * clients start a new session (MCP 2025-03-26 Transports, "Session Management"; RULES X6, P10).
 * @throws RpcError 404
 */
function requireSession(sessionId: string | undefined, access: Access): void {
  if (sessionId === undefined || access.session !== null) return
  const message =
    'This session has ended. Start a new one with "initialize", or leave out Mcp-Session-Id; nothing is lost.'
  throw new RpcError(CODES.sessionNotFound, message, 404)
}
