import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js'
import type { RequestContext } from './context.js'
import { codes, failure, RpcError, type RpcRequest, type RpcResponse } from './json-rpc.js'

/** The longest a request may take, whatever its handler does. */
export const REQUEST_TIMEOUT_MS = 20_000

/** A request that the SDK is processing, keyed by a number that replaces its id. */
interface PendingRequest {
  request: RpcRequest
  context: RequestContext
  /** What the handler threw. Kept here, because the SDK would send the message of any error to the client. */
  thrown: unknown
  /** By `performance.now()`. */
  expiresAt: number
  resolve(response: RpcResponse): void
  reject(error: unknown): void
}

export interface BridgeOptions {
  /**
   * Whether an error fails the whole HTTP request, because a store is unavailable, and not just one response.
   */
  isUnavailable(error: unknown): boolean
  /** Logs a server error and returns the reference that the client receives instead. */
  report(error: unknown): string
  timeoutMs?: number
}

/**
 * The transport between HTTP requests and the shared SDK `Server`. Request ids of different clients may
 * collide, so each request gets a unique number (RULES X13).
 */
export class Bridge implements Transport {
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void
  onclose?: () => void
  onerror?: (error: Error) => void

  readonly #pending = new Map<number, PendingRequest>()
  readonly #options: BridgeOptions
  readonly #timeoutMs: number
  #lastNumber = 0
  /**
   * One timer for all requests: they all have the same timeout, so they expire in the order of their numbers.
   */
  #timer: NodeJS.Timeout | undefined

  constructor(options: BridgeOptions) {
    this.#options = options
    this.#timeoutMs = options.timeoutMs ?? REQUEST_TIMEOUT_MS
  }

  /** The number of unanswered requests. */
  get pending(): number {
    return this.#pending.size
  }

  async start(): Promise<void> {}

  /** Answers all pending requests with an error, then closes the server. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    for (const number of this.#pending.keys()) {
      this.#fail(number, new RpcError(codes.internalError, 'The service is stopping.'))
    }
    this.onclose?.()
  }

  /**
   * Sends a request to the server and resolves to the response with the original id. Rejects only if a store
   * is unavailable; every other error becomes a response.
   */
  dispatch(request: RpcRequest, context: RequestContext): Promise<RpcResponse> {
    return new Promise((resolve, reject) => {
      const { signal } = context
      if (signal?.aborted) return resolve(failure(request.id, hungUp()))
      const number = ++this.#lastNumber
      signal?.addEventListener('abort', () => this.#cancel(number, hungUp()), { once: true })
      const expiresAt = performance.now() + this.#timeoutMs
      this.#pending.set(number, { request, context, thrown: undefined, expiresAt, resolve, reject })
      this.#timer ??= setTimeout(() => this.#expireOverdue(), this.#timeoutMs).unref()
      const { method, params } = request
      const message: JSONRPCMessage = { jsonrpc: '2.0', id: number, method, ...(params && { params }) }
      this.onmessage?.(message, { authInfo: authInfoOf(context) })
    })
  }

  /**
   * Called by the server with each response. Responses to requests that are no longer pending are dropped.
   */
  async send(message: JSONRPCMessage): Promise<void> {
    // A message without an id is a notification. This server sends none (RULES X13).
    if (!('id' in message) || typeof message.id !== 'number') return
    const pending = this.#take(message.id)
    if (!pending) return
    const { id } = pending.request
    if ('result' in message) pending.resolve({ jsonrpc: '2.0', id, result: message.result })
    else if (pending.thrown !== undefined) this.#answerThrown(pending)
    else {
      // No handler threw, so the SDK rejected the parameters. Its message describes its own schema, so it is
      // not sent.
      pending.resolve(failure(id, { code: codes.invalidParams, message: 'The parameters are not valid.' }))
    }
  }

  /** Wraps a handler so that its errors are kept here and the SDK does not expose them. */
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
      this.#cancel(number, new Error('an MCP request reached its time limit'))
    }
  }

  /** Answers a pending request with an error. The server then drops its result. */
  #cancel(number: number, error: Error): void {
    if (!this.#pending.has(number)) return
    this.#fail(number, error)
    const params = { requestId: number, reason: error.message }
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
  }
}

/** Nobody receives it. */
const hungUp = () => new RpcError(codes.internalError, 'The client hung up.')

/** The SDK passes `AuthInfo` to the handler unchanged, so it can carry our context. */
function authInfoOf(context: RequestContext): AuthInfo {
  const { clientId, tokenScope } = context.access
  return { token: '', clientId, scopes: tokenScope, extra: { context } }
}

function contextOf(authInfo: AuthInfo | undefined): RequestContext {
  return authInfo?.extra?.context as RequestContext
}
