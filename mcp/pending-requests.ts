import type { Clock } from '../platform/common/clock.js'
import { CODES, type Result, RpcError } from './json-rpc.js'

/** A request that its handler has not answered yet. */
interface PendingRequest {
  expiresAt: number
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Requests that their handlers have not answered yet, with their own numbers, because the ids of different
 * clients may collide (RULES X13).
 */
export class PendingRequests {
  readonly #pending = new Map<number, PendingRequest>()
  readonly #timeoutMs: number
  readonly #clock: Clock
  #lastNumber = 0
  /** One timer for all requests: they all have the same timeout, so they expire in the order of their numbers. */
  #timer: NodeJS.Timeout | undefined

  constructor(timeoutMs: number, clock: Clock) {
    this.#timeoutMs = timeoutMs
    this.#clock = clock
  }

  get size(): number {
    return this.#pending.size
  }

  /** Waits for a result, but not longer than the time limit, nor after the client hung up. */
  wait(result: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
    return new Promise((resolve, reject) => {
      const number = ++this.#lastNumber
      const expiresAt = this.#clock() + this.#timeoutMs
      this.#pending.set(number, { expiresAt, resolve, reject })
      this.#timer ??= setTimeout(() => this.#expireOverdue(), this.#timeoutMs).unref()
      signal?.addEventListener('abort', () => this.#fail(number, hungUp()), { once: true })
      result.then(
        result => this.#take(number)?.resolve(result),
        error => this.#fail(number, error),
      )
    })
  }

  /** Ends all of them with an error. */
  close(): void {
    clearTimeout(this.#timer)
    for (const number of this.#pending.keys()) {
      this.#fail(number, new RpcError(CODES.internalError, 'The service is stopping.'))
    }
  }

  #take(number: number): PendingRequest | undefined {
    const pending = this.#pending.get(number)
    this.#pending.delete(number)
    return pending
  }

  /** Ends a pending request. A later result of its handler is dropped. */
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

/** For a request whose client has disconnected. Nobody receives it. */
export const hungUp = () => new RpcError(CODES.internalError, 'The client hung up.')
