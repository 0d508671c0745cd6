import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js'
import type { RequestContext } from './context.js'
import { codes, failure, RpcError, type RpcRequest, type RpcResponse } from './json-rpc.js'

/** The longest a request may take, whatever its handler does. */
export const REQUEST_TIMEOUT_MS = 20_000

/** A request on its way through the SDK, under the number that stands for its id there. */
interface PendingRequest {
  request: RpcRequest
  context: RequestContext
  /** What the handler threw, if it did: the SDK would put any error's own message on the wire. */
  thrown: unknown
  /** By `performance.now()`. */
  expiresAt: number
  resolve(response: RpcResponse): void
  reject(error: unknown): void
}

export interface BridgeOptions {
  /** Tells an error that fails the whole HTTP request (a store is away) from a fault of one answer. */
  isUnavailable(error: unknown): boolean
  /** Records a server fault; returns the reference that the sender is given instead of it. */
  report(error: unknown): string
  timeoutMs?: number
}

/**
 * The transport between HTTP requests and the one SDK `Server` that serves everybody. Clients choose their ids
 * freely and they collide, so each request crosses under a number of its own (RULES X13).
 */
export class Bridge implements Transport {
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void
  onclose?: () => void
  onerror?: (error: Error) => void

  readonly #pending = new Map<number, PendingRequest>()
  readonly #options: BridgeOptions
  readonly #timeoutMs: number
  #lastNumber = 0
  /** One for all exchanges, which begin and therefore end in the order of their numbers. */
  #timer: NodeJS.Timeout | undefined

  constructor(options: BridgeOptions) {
    this.#options = options
    this.#timeoutMs = options.timeoutMs ?? REQUEST_TIMEOUT_MS
  }

  /** Exchanges not answered yet. */
  get pending(): number {
    return this.#pending.size
  }

  async start(): Promise<void> {}

  /** Answers everything that is still open, then tells the server. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    for (const number of this.#pending.keys()) {
      this.#fail(number, new RpcError(codes.internalError, 'The service is stopping.'))
    }
    this.onclose?.()
  }

  /**
   * Carries one request to the server and its answer back, under the request's own id.
   * Rejects only when a store is away; every other fault is an answer.
   */
  dispatch(request: RpcRequest, context: RequestContext): Promise<RpcResponse> {
    return new Promise((resolve, reject) => {
      const number = ++this.#lastNumber
      const expiresAt = performance.now() + this.#timeoutMs
      this.#pending.set(number, { request, context, thrown: undefined, expiresAt, resolve, reject })
      this.#timer ??= setTimeout(() => this.#expireOverdue(), this.#timeoutMs).unref()
      const { method, params } = request
      const message: JSONRPCMessage = { jsonrpc: '2.0', id: number, method, ...(params && { params }) }
      this.onmessage?.(message, { authInfo: authInfoOf(context) })
    })
  }

  /** Called by the server with each answer. Answers that nobody waits for any more are dropped. */
  async send(message: JSONRPCMessage): Promise<void> {
    // Without an id it is a notification; this server has none to send (RULES X13).
    if (!('id' in message) || typeof message.id !== 'number') return
    const pending = this.#take(message.id)
    if (!pending) return
    const { id } = pending.request
    if ('result' in message) pending.resolve({ jsonrpc: '2.0', id, result: message.result })
    else if (pending.thrown !== undefined) this.#answerThrown(pending)
    else {
      // Nothing of ours threw, so the SDK's own check of the parameters did; its text is about its code.
      pending.resolve(failure(id, { code: codes.invalidParams, message: 'The parameters are not valid.' }))
    }
  }

  /** Wraps a handler so that what it throws is kept here and never worded by the SDK. */
  guard<T, E extends { requestId: unknown; authInfo?: AuthInfo }, R>(
    handler: (request: T, context: RequestContext) => Promise<R> | R,
  ): (request: T, extra: E) => Promise<R> {
    return async (request, extra) => {
      try {
        return await handler(request, contextOf(extra.authInfo))
      } catch (error) {
        const pending = this.#pending.get(extra.requestId as number)
        if (pending) pending.thrown = error
        throw error
      }
    }
  }

  #take(number: number): PendingRequest | undefined {
    const pending = this.#pending.get(number)
    if (!pending) return undefined
    this.#pending.delete(number)
    return pending
  }

  #answerThrown({ request, thrown, resolve, reject }: PendingRequest): void {
    if (thrown instanceof RpcError) resolve(failure(request.id, thrown))
    else if (this.#options.isUnavailable(thrown)) reject(thrown)
    else {
      const message = `Something went wrong on our side (reference ${this.#options.report(thrown)}).`
      resolve(failure(request.id, { code: codes.internalError, message }))
    }
  }

  #fail(number: number, error: unknown): void {
    const pending = this.#take(number)
    if (pending) this.#answerThrown({ ...pending, thrown: error })
  }

  #expireOverdue(): void {
    this.#timer = undefined
    const now = performance.now()
    for (const [number, { expiresAt }] of this.#pending) {
      if (expiresAt > now) {
        this.#timer = setTimeout(() => this.#expireOverdue(), Math.ceil(expiresAt - now)).unref()
        return
      }
      this.#giveUp(number)
    }
  }

  #giveUp(number: number): void {
    this.#fail(number, new Error('an MCP request reached its time limit'))
    const params = { requestId: number, reason: 'time limit' }
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
  }
}

/** The SDK carries an `AuthInfo` beside a message and hands it to the handler untouched. */
function authInfoOf(context: RequestContext): AuthInfo {
  const { clientId, tokenScope } = context.access
  return { token: '', clientId, scopes: tokenScope, extra: { context } }
}

function contextOf(authInfo: AuthInfo | undefined): RequestContext {
  return authInfo?.extra?.context as RequestContext
}
