import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js'
import type { Context } from './context.js'
import { codes, failure, type Request, type Response, RpcError } from './json-rpc.js'

/** No exchange outlives this, whatever a handler does. */
export const EXCHANGE_LIMIT_MS = 20_000

/** A request on its way through the SDK, under the number that stands for its id there. */
interface Exchange {
  request: Request
  context: Context
  /** What the handler threw, if it did: the SDK would put any error's own message on the wire. */
  thrown: unknown
  /** By `performance.now()`. */
  endsAt: number
  resolve(response: Response): void
  reject(error: unknown): void
}

export interface BridgeOptions {
  /** Tells an error that fails the whole HTTP request (a store is away) from a fault of one answer. */
  isUnavailable(error: unknown): boolean
  /** Records a server fault; returns the reference that the sender is given instead of it. */
  report(error: unknown): string
  limitMs?: number
}

/**
 * The transport between HTTP requests and the one SDK `Server` that serves everybody. Clients choose their ids
 * freely and they collide, so each request crosses under a number of its own (RULES X13).
 */
export class Bridge implements Transport {
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void
  onclose?: () => void
  onerror?: (error: Error) => void

  readonly #exchanges = new Map<number, Exchange>()
  readonly #options: BridgeOptions
  readonly #limitMs: number
  #lastNumber = 0
  /** One for all exchanges, which begin and therefore end in the order of their numbers. */
  #timer: NodeJS.Timeout | undefined

  constructor(options: BridgeOptions) {
    this.#options = options
    this.#limitMs = options.limitMs ?? EXCHANGE_LIMIT_MS
  }

  /** Exchanges not answered yet. */
  get pending(): number {
    return this.#exchanges.size
  }

  async start(): Promise<void> {}

  /** Answers everything that is still open, then tells the server. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    for (const number of this.#exchanges.keys()) {
      this.#fail(number, new RpcError(codes.internalError, 'The service is stopping.'))
    }
    this.onclose?.()
  }

  /**
   * Carries one request to the server and its answer back, under the request's own id.
   * Rejects only when a store is away; every other fault is an answer.
   */
  exchange(request: Request, context: Context): Promise<Response> {
    return new Promise((resolve, reject) => {
      const number = ++this.#lastNumber
      const endsAt = performance.now() + this.#limitMs
      this.#exchanges.set(number, { request, context, thrown: undefined, endsAt, resolve, reject })
      this.#timer ??= setTimeout(() => this.#endOverdue(), this.#limitMs).unref()
      const { method, params } = request
      const message: JSONRPCMessage = { jsonrpc: '2.0', id: number, method, ...(params && { params }) }
      this.onmessage?.(message, { authInfo: authInfoOf(context) })
    })
  }

  /** Called by the server with each answer. Answers that nobody waits for any more are dropped. */
  async send(message: JSONRPCMessage): Promise<void> {
    // Without an id it is a notification; this server has none to send (RULES X13).
    if (!('id' in message) || typeof message.id !== 'number') return
    const exchange = this.#take(message.id)
    if (!exchange) return
    const { id } = exchange.request
    if ('result' in message) exchange.resolve({ jsonrpc: '2.0', id, result: message.result })
    else if (exchange.thrown !== undefined) this.#answerThrown(exchange)
    else {
      // Nothing of ours threw, so the SDK's own check of the parameters did; its text is about its code.
      exchange.resolve(failure(id, { code: codes.invalidParams, message: 'The parameters are not valid.' }))
    }
  }

  /** Wraps a handler so that what it throws is kept here and never worded by the SDK. */
  guard<T, E extends { requestId: unknown; authInfo?: AuthInfo }, R>(
    handler: (request: T, context: Context) => Promise<R> | R,
  ): (request: T, extra: E) => Promise<R> {
    return async (request, extra) => {
      try {
        return await handler(request, contextOf(extra.authInfo))
      } catch (error) {
        const exchange = this.#exchanges.get(extra.requestId as number)
        if (exchange) exchange.thrown = error
        throw error
      }
    }
  }

  #take(number: number): Exchange | undefined {
    const exchange = this.#exchanges.get(number)
    if (!exchange) return undefined
    this.#exchanges.delete(number)
    return exchange
  }

  #answerThrown({ request, thrown, resolve, reject }: Exchange): void {
    if (thrown instanceof RpcError) resolve(failure(request.id, thrown))
    else if (this.#options.isUnavailable(thrown)) reject(thrown)
    else {
      const message = `Something went wrong on our side (reference ${this.#options.report(thrown)}).`
      resolve(failure(request.id, { code: codes.internalError, message }))
    }
  }

  #fail(number: number, error: unknown): void {
    const exchange = this.#take(number)
    if (exchange) this.#answerThrown({ ...exchange, thrown: error })
  }

  #endOverdue(): void {
    this.#timer = undefined
    const now = performance.now()
    for (const [number, { endsAt }] of this.#exchanges) {
      if (endsAt > now) {
        this.#timer = setTimeout(() => this.#endOverdue(), Math.ceil(endsAt - now)).unref()
        return
      }
      this.#giveUp(number)
    }
  }

  #giveUp(number: number): void {
    this.#fail(number, new Error('an exchange with the MCP server reached its time limit'))
    const params = { requestId: number, reason: 'time limit' }
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
  }
}

/** The SDK carries an `AuthInfo` beside a message and hands it to the handler untouched. */
function authInfoOf(context: Context): AuthInfo {
  const { clientId, tokenScope } = context.access
  return { token: '', clientId, scopes: tokenScope, extra: { context } }
}

function contextOf(authInfo: AuthInfo | undefined): Context {
  return authInfo?.extra?.context as Context
}
