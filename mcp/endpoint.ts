import { setImmediate as turnEnd } from 'node:timers/promises'
import { type Access, onlySafe, type Resource } from '../oauth/connections/access.js'
import { Bridge, type BridgeOptions } from './bridge.js'
import type { Meter, RequestContext } from './context.js'
import { idOf, isObject, type Message, parseBody, readBatch, readMessage } from './envelope.js'
import { failure, RpcError, type RpcRequest, type RpcResponse } from './json-rpc.js'
import { BASELINE, requestRevision } from './protocol-version.js'
import { connectServer, type ServerOptions } from './server.js'
import { requireSession } from './session.js'

/** One authenticated POST. */
export interface Call {
  access: Access
  /** Which of the two endpoints was called. */
  endpoint: Resource
  /** Header `MCP-Protocol-Version`. */
  protocolVersion: string | undefined
  /** Header `Mcp-Session-Id`. */
  sessionId: string | undefined
  body: string
  meter: Meter
}

export interface Reply {
  status: number
  /** Absent: nothing in the body asked for an answer (202). */
  body?: RpcResponse | RpcResponse[]
  /** Of the session that `initialize` opened. */
  sessionId?: string
}

/** What the HTTP routes talk to. */
export interface McpEndpoint {
  /** Answers whatever was sent; throws only when a store is away. */
  answer(call: Call): Promise<Reply>
  /** Ends the session a DELETE names. @throws RpcError 400 for a revision that is not spoken here, 404 */
  endSession(access: Access, sessionId: string | undefined, protocolVersion?: string): Promise<void>
  /** Answers what is still open and stops. */
  close(): Promise<void>
}

export async function openEndpoint(options: ServerOptions & BridgeOptions): Promise<McpEndpoint> {
  const bridge = new Bridge(options)
  await connectServer(bridge, options)
  const { sessions } = options.domain
  const inTurn = oneEachTurn()

  async function initialize(request: RpcRequest, context: RequestContext): Promise<Reply> {
    const body = await bridge.dispatch(request, context)
    if (!('result' in body)) return { status: 200, body }
    const revision = body.result.protocolVersion as string
    return { status: 200, body, sessionId: await sessions.open(context.access, revision) }
  }

  async function answerBody(body: unknown, call: Call): Promise<Reply> {
    if (isObject(body) && body.method === 'initialize') {
      // It settles the revision and starts a new session, whatever a client's old headers say (RULES X7).
      const message = readMessage(body)
      if (message.kind === 'request') return initialize(message.request, contextOf(call, undefined))
    }
    const context = contextOf(call, call.protocolVersion)
    requireSession(call.sessionId, call.access)
    if (Array.isArray(body)) {
      // It is the header that rules batches out, not what a session settled on (RULES X3).
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

/** The body. Only `initialize` may come in any revision, and what cannot be read is none (RULES P9, X7). */
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
 * One message of an account's batches in each turn of the event loop, so that others have theirs: 50 questions at once
 * would hold them up for seconds.
 */
async function answerBatch(
  messages: Message[],
  context: RequestContext,
  bridge: Bridge,
  inTurn: InTurn,
): Promise<Reply> {
  context.meter.calls(messages.length - 1)
  const answers: RpcResponse[] = []
  for (const message of messages) {
    if (message.kind === 'refused') answers.push(message.response)
    if (message.kind !== 'request') continue
    const { request } = message
    answers.push(await inTurn(context.access.accountId, () => bridge.dispatch(request, context)))
  }
  return answers.length === 0 ? { status: 202 } : { status: 200, body: answers }
}

type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Runs work of one key one after the other, each in a turn of the event loop of its own. */
function oneEachTurn(): InTurn {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const done = (last.get(key) ?? Promise.resolve()).then(work)
    const turn = done.then(
      () => turnEnd(),
      () => turnEnd(),
    )
    last.set(key, turn)
    void turn.then(() => {
      if (last.get(key) === turn) last.delete(key)
    })
    return done
  }
}
