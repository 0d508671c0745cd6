import type { Clock } from '../common/clock.js'
import type { RequestContext } from './context.js'
import {
  codes,
  failure,
  type Id,
  type Result,
  RpcError,
  type RpcRequest,
  type RpcResponse,
} from './json-rpc.js'
import type { HandlerExtra, RecordingServer } from './recording-server.js'

/** The longest a request may take, whatever its handler does. */
export const REQUEST_TIMEOUT_MS = 20_000

/** A request that its handler has not answered yet. */
interface PendingRequest {
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
  /** Default: `performance.now`. */
  clock?: Clock
}

/**
 * Between HTTP requests and the handlers of the shared SDK `Server`. Request ids of different clients may
 * collide, so pending requests have numbers of their own (RULES X13).
 */
export class Bridge {
  readonly #server: RecordingServer
  readonly #pending = new Map<number, PendingRequest>()
  readonly #options: BridgeOptions
  readonly #timeoutMs: number
  readonly #clock: Clock
  #lastNumber = 0
  /**
   * One timer for all requests: they all have the same timeout, so they expire in the order of their numbers.
   */
  #timer: NodeJS.Timeout | undefined

  constructor(server: RecordingServer, options: BridgeOptions) {
    this.#server = server
    this.#options = options
    this.#timeoutMs = options.timeoutMs ?? REQUEST_TIMEOUT_MS
    this.#clock = options.clock ?? (() => performance.now())
  }

  /** The number of unanswered requests. */
  get pending(): number {
    return this.#pending.size
  }

  /** Answers all pending requests with an error. */
  close(): void {
    clearTimeout(this.#timer)
    for (const number of this.#pending.keys()) {
      this.#fail(number, new RpcError(codes.internalError, 'The service is stopping.'))
    }
  }

  /**
   * Calls the handler of a request. Rejects only if a store is unavailable; every other error becomes a
   * response.
   */
  async dispatch(request: RpcRequest, context: RequestContext): Promise<RpcResponse> {
    const { id, method } = request
    if (context.signal?.aborted) return failure(id, hungUp())
    const handle = this.#server.handlerOf(method)
    if (!handle) return failure(id, new RpcError(codes.methodNotFound, 'Method not found'))
    try {
      const result = handle(request, extraOf(context))
      if (!(result instanceof Promise)) return { jsonrpc: '2.0', id, result }
      return await this.#untilAnswered(id, result, context.signal)
    } catch (error) {
      return this.#responseTo(request, error)
    }
  }

  /** Waits for a result, but not longer than the time limit, nor after the client hung up. */
  #untilAnswered(id: Id, result: Promise<Result>, signal: AbortSignal | undefined): Promise<RpcResponse> {
    return new Promise((resolve, reject) => {
      const number = ++this.#lastNumber
      const expiresAt = this.#clock() + this.#timeoutMs
      this.#pending.set(number, { expiresAt, resolve, reject })
      this.#timer ??= setTimeout(() => this.#expireOverdue(), this.#timeoutMs).unref()
      signal?.addEventListener('abort', () => this.#fail(number, hungUp()), { once: true })
      result.then(
        result => this.#take(number)?.resolve({ jsonrpc: '2.0', id, result }),
        error => this.#fail(number, error),
      )
    })
  }

  /** @throws the error if a store is unavailable */
  #responseTo({ id }: RpcRequest, error: unknown): RpcResponse {
    if (error instanceof RpcError) return failure(id, error)
    if (this.#options.isUnavailable(error)) throw error
    const message = `Something went wrong on our side (reference ${this.#options.report(error)}).`
    return failure(id, { code: codes.internalError, message })
  }

  #take(number: number): PendingRequest | undefined {
    const pending = this.#pending.get(number)
    this.#pending.delete(number)
    return pending
  }

  /** Ends a pending request. What its handler returns later is dropped. */
  #fail(number: number, error: unknown): void {
    this.#take(number)?.reject(error)
  }

  #expireOverdue(): void {
    this.#timer = undefined
    const now = this.#clock()
    for (const [number, { expiresAt }] of this.#pending) {
      if (expiresAt > now) {
        this.#timer = setTimeout(() => this.#expireOverdue(), Math.ceil(expiresAt - now)).unref()
        return
      }
      this.#fail(number, new Error('an MCP request reached its time limit'))
    }
  }
}

/** Nobody receives it. */
const hungUp = () => new RpcError(codes.internalError, 'The client hung up.')

const extraOf = (context: RequestContext): HandlerExtra => ({ authInfo: { extra: { context } } })
