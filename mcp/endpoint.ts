import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Access, allowedSafes, type Resource } from '../oauth/connections/access.js'
import { Bridge, type BridgeOptions } from './bridge.js'
import { classify, type MirroredHeaders } from './classify.js'
import type { Meter, RequestContext } from './context.js'
import { idOf, isObject, type Message, parseBody, readBatch, readMessage, unreadableId } from './envelope.js'
import { showsApps } from './graph-app.js'
import { failure, RpcError, type RpcRequest, type RpcResponse } from './json-rpc.js'
import { BASELINE, namesStateless, requestRevision, STATELESS } from './protocol-version.js'
import { openServer, type ServerOptions } from './server.js'
import { requireSession } from './session.js'
import { stampOf } from './stamp.js'
import { type Dispatch, type Traced, tracedDispatch } from './traced.js'

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

export interface Reply {
  status: number
  /** Absent if the body contains no request (202). */
  body?: RpcResponse | RpcResponse[]
  /** The id of the session that `initialize` opened. */
  sessionId?: string
}

/** The MCP endpoint, independent of HTTP. */
export interface McpEndpoint {
  /** Processes a request. Throws only if a store is unavailable. */
  answer(call: Call): Promise<Reply>
  /** Ends the session named by a DELETE request. @throws RpcError 400 for an unsupported revision, 404 */
  endSession(access: Access, sessionId: string | undefined, protocolVersion?: string): Promise<void>
  /** Answers pending requests with an error and stops. */
  close(): void
}

export interface EndpointOptions extends ServerOptions, BridgeOptions {
  traced?: Traced
}

export async function openEndpoint(options: EndpointOptions): Promise<McpEndpoint> {
  const bridge = new Bridge(openServer(options), options)
  const untraced: Dispatch = (request, context) => bridge.dispatch(request, context)
  const dispatch = options.traced ? tracedDispatch(untraced, options.traced, options.brand) : untraced
  const { sessions } = options.domain
  const stamp = stampOf({ name: options.brand, version: options.version })
  const inTurn = keyedMutex()

  async function initialize(request: RpcRequest, context: RequestContext): Promise<Reply> {
    const body = await dispatch(request, context)
    if (!('result' in body)) return { status: 200, body }
    const client = { protocolVersion: body.result.protocolVersion as string, showsApps: context.showsApps }
    return { status: 200, body, sessionId: await sessions.open(context.access, client) }
  }

  /** Answers a request of MCP 2026-07-28. It has no session, and hanging up cancels it (RULES N11, N13). */
  async function answerStateless(request: RpcRequest, call: Call): Promise<RpcResponse> {
    const context = contextOf(call, STATELESS, request.showsApps ?? false)
    const access = { ...call.access, session: null }
    const response = await dispatch(request, { ...context, access, signal: call.hangUp() })
    return stamp(request.method, response)
  }

  async function answerBody(body: unknown, call: Call): Promise<Reply> {
    const stateless = classify(body, call)
    if (stateless) return answerOne(stateless, request => answerStateless(request, call))
    const { protocolVersion, access } = call
    const { session } = access
    if (isObject(body) && body.method === 'initialize') {
      // It negotiates the revision and starts a new session, so headers from an earlier session are ignored
      // (RULES X7).
      const message = readMessage(body)
      if (message.kind === 'request') {
        const { request } = message
        const context = contextOf(
          call,
          requestRevision(undefined, session),
          showsApps(request.params?.capabilities),
        )
        return initialize(request, context)
      }
    }
    const context = contextOf(call, requestRevision(protocolVersion, session), session?.showsApps ?? false)
    requireSession(call.sessionId, access)
    if (Array.isArray(body)) {
      // Whether batches are allowed depends on the header, not on the revision of the session (RULES X3).
      return answerBatch(readBatch(body, protocolVersion ?? BASELINE), context, dispatch, inTurn)
    }
    return answerOne(readMessage(body), request => dispatch(request, context))
  }

  return {
    async answer(call) {
      let body: unknown
      try {
        body = read(call)
        return await answerBody(body, call)
      } catch (error) {
        if (!(error instanceof RpcError)) throw error
        const id = idOf(body) ?? unreadableId(call.protocolVersion)
        return { status: error.status, body: failure(id, error) }
      }
    },
    async endSession(access, sessionId, protocolVersion) {
      requestRevision(protocolVersion, null)
      requireSession(sessionId, access)
      if (sessionId !== undefined) await sessions.end(access, sessionId)
    },
    close: () => bridge.close(),
  }
}

/** Parses the body. A malformed body is not `initialize`, so its revision is checked (RULES P9, X7). */
function read({ body, protocolVersion }: Call): unknown {
  try {
    return parseBody(body)
  } catch (error) {
    if (!namesStateless(protocolVersion)) requestRevision(protocolVersion, null)
    throw error
  }
}

function contextOf({ access, endpoint, meter }: Call, revision: string, showsApps: boolean): RequestContext {
  const allowedSafeIds = endpoint === 'user' ? allowedSafes(access) : [endpoint.slice('safe:'.length)]
  return { access, allowedSafeIds, revision, meter, showsApps }
}

async function answerOne(
  message: Message,
  dispatch: (request: RpcRequest) => Promise<RpcResponse>,
): Promise<Reply> {
  if (message.kind === 'unanswered') return { status: 202 }
  if (message.kind === 'refused') return { status: message.status, body: message.response }
  return { status: 200, body: await dispatch(message.request) }
}

/**
 * Processes one message of an account's batches per turn of the event loop. Otherwise, a batch of 50
 * questions would delay other accounts by seconds.
 */
async function answerBatch(
  messages: Message[],
  context: RequestContext,
  dispatch: Dispatch,
  inTurn: RunInTurn,
): Promise<Reply> {
  context.meter.calls(messages.length - 1)
  const responses: RpcResponse[] = []
  for (const message of messages) {
    if (message.kind === 'refused') responses.push(message.response)
    if (message.kind !== 'request') continue
    const { request } = message
    responses.push(await inTurn(context.access.accountId, () => dispatch(request, context)))
  }
  return responses.length === 0 ? { status: 202 } : { status: 200, body: responses }
}

type RunInTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Runs tasks with the same key one after another, each in its own turn of the event loop. */
function keyedMutex(): RunInTurn {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const done = (last.get(key) ?? Promise.resolve()).then(work)
    const turn = done.then(
      () => nextTurn(),
      () => nextTurn(),
    )
    last.set(key, turn)
    void turn.then(() => {
      if (last.get(key) === turn) last.delete(key)
    })
    return done
  }
}
