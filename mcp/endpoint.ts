import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Access, onlySafe, type Resource } from '../oauth/connections/access.js'
import { Bridge, type BridgeOptions } from './bridge.js'
import type { Meter, RequestContext } from './context.js'
import { idOf, isObject, type Message, parseBody, readBatch, readMessage } from './envelope.js'
import { failure, RpcError, type RpcRequest, type RpcResponse } from './json-rpc.js'
import { BASELINE, requestRevision } from './protocol-version.js'
import { connectServer, type ServerOptions } from './server.js'
import { requireSession } from './session.js'

/** An authenticated POST request. */
export interface Call {
  access: Access
  /** The endpoint that was called. */
  endpoint: Resource
  /** The `MCP-Protocol-Version` header. */
  protocolVersion: string | undefined
  /** The `Mcp-Session-Id` header. */
  sessionId: string | undefined
  body: string
  meter: Meter
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
  close(): Promise<void>
}

export async function openEndpoint(options: ServerOptions & BridgeOptions): Promise<McpEndpoint> {
  const bridge = new Bridge(options)
  await connectServer(bridge, options)
  const { sessions } = options.domain
  const inTurn = keyedMutex()

  async function initialize(request: RpcRequest, context: RequestContext): Promise<Reply> {
    const body = await bridge.dispatch(request, context)
    if (!('result' in body)) return { status: 200, body }
    const revision = body.result.protocolVersion as string
    return { status: 200, body, sessionId: await sessions.open(context.access, revision) }
  }

  async function answerBody(body: unknown, call: Call): Promise<Reply> {
    if (isObject(body) && body.method === 'initialize') {
      // It negotiates the revision and starts a new session, so headers from an earlier session are ignored
      // (RULES X7).
      const message = readMessage(body)
      if (message.kind === 'request') return initialize(message.request, contextOf(call, undefined))
    }
    const context = contextOf(call, call.protocolVersion)
    requireSession(call.sessionId, call.access)
    if (Array.isArray(body)) {
      // Whether batches are allowed depends on the header, not on the revision of the session (RULES X3).
      return answerBatch(readBatch(body, call.protocolVersion ?? BASELINE), context, bridge, inTurn)
    }
    return answerOne(readMessage(body), context, bridge)
  }

  return {
    async answer(call) {
      let body: unknown
      try {
        body = read(call)
        return await answerBody(body, call)
      } catch (error) {
        if (!(error instanceof RpcError)) throw error
        return { status: error.status, body: failure(idOf(body), error) }
      }
    },
    async endSession(access, sessionId, protocolVersion) {
      requestRevision(protocolVersion, undefined)
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
    requestRevision(protocolVersion, undefined)
    throw error
  }
}

function contextOf({ access, endpoint, meter }: Call, protocolVersion: string | undefined): RequestContext {
  const onlySafeId = endpoint === 'user' ? onlySafe(access) : endpoint.slice('safe:'.length)
  const revision = requestRevision(protocolVersion, access.session?.protocolVersion)
  return { access, onlySafeId, revision, meter }
}

async function answerOne(message: Message, context: RequestContext, bridge: Bridge): Promise<Reply> {
  if (message.kind === 'unanswered') return { status: 202 }
  if (message.kind === 'refused') return { status: message.status, body: message.response }
  return { status: 200, body: await bridge.dispatch(message.request, context) }
}

/**
 * Processes one message of an account's batches per turn of the event loop. Otherwise, a batch of 50
 * questions would delay other accounts by seconds.
 */
async function answerBatch(
  messages: Message[],
  context: RequestContext,
  bridge: Bridge,
  inTurn: RunInTurn,
): Promise<Reply> {
  context.meter.calls(messages.length - 1)
  const responses: RpcResponse[] = []
  for (const message of messages) {
    if (message.kind === 'refused') responses.push(message.response)
    if (message.kind !== 'request') continue
    const { request } = message
    responses.push(await inTurn(context.access.accountId, () => bridge.dispatch(request, context)))
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
