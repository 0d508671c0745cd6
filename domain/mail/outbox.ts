import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import { Part } from '../part.js'
import { isMailAddress, type Mail, type SendMail } from './mail.js'

/** Composes a message when its turn comes, or decides that there is none. */
type Compose = () => Promise<Mail | null>

export interface OutboxDependencies {
  send: SendMail
  /** Whether trying again is useless. */
  isPermanent(error: unknown): boolean
  /** An attempt failed. After the last one, the message is dropped. */
  onFailed(error: unknown, attempt: number, isLast: boolean): void
  /** The number of messages dropped: too many were waiting, or the service stops. */
  onDropped(count: number): void
  /** Pauses between attempts in milliseconds. */
  pauses?: readonly number[]
  maxWaiting?: number
  /** How long a stopping service waits for messages that are being sent, in milliseconds. */
  closeMs?: number
}

/** `pauses`: greylisting servers accept a message after some minutes. */
const DEFAULTS = { pauses: [10_000, 60_000, 5 * 60_000, 30 * 60_000], maxWaiting: 1000, closeMs: 2000 }
/** Messages sent at the same time. */
const CONCURRENCY = 2
/** Timeout of one attempt. */
const DEADLINE_MS = 30_000

/**
 * Messages waiting to be sent, in memory. Nobody waits for them. After a server error they are retried; a process that
 * stops loses waiting ones (ADR 47).
 */
export class Outbox extends Part<Required<OutboxDependencies>> {
  readonly #limit = pLimit(CONCURRENCY)
  readonly #waiting = new Set<Promise<void>>()
  /** Ends the pauses, then the attempts. */
  readonly #stopped = new AbortController()
  readonly #ended = new AbortController()
  #lost = 0

  constructor(dependencies: OutboxDependencies) {
    super({ ...DEFAULTS, ...dependencies })
    // Every message that waits for its next attempt listens.
    setMaxListeners(0, this.#stopped.signal)
  }

  /** Never waits and never throws. */
  add(compose: Compose): void {
    if (this.#stopped.signal.aborted || this.#waiting.size >= this.dependencies.maxWaiting) {
      this.dependencies.onDropped(1)
      return
    }
    const delivery = this.#deliver(compose).finally(() => this.#waiting.delete(delivery))
    this.#waiting.add(delivery)
  }

  /** Resolves when no message waits. */
  async idle(): Promise<void> {
    while (this.#waiting.size > 0) await Promise.all(this.#waiting)
  }

  /** Finishes messages that are being sent, within two seconds, and drops the rest. */
  async close(): Promise<void> {
    this.#stopped.abort()
    const patience = new AbortController()
    const timeout = sleep(this.dependencies.closeMs, undefined, { signal: patience.signal }).catch(() => {})
    await Promise.race([this.idle(), timeout])
    patience.abort()
    this.#ended.abort()
    await this.idle()
    if (this.#lost > 0) this.dependencies.onDropped(this.#lost)
  }

  async #deliver(compose: Compose): Promise<void> {
    let mail: Mail | null | undefined
    const attempt = async () => {
      this.#ended.signal.throwIfAborted()
      mail ??= await compose()
      if (mail === null) return
      if (!isMailAddress(mail.to)) throw Object.assign(new Error('not an address'), { code: 'EENVELOPE' })
      const signal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(DEADLINE_MS)])
      await this.dependencies.send(mail, signal)
    }
    for (let number = 1; ; number++) {
      try {
        await this.#limit(attempt)
        return
      } catch (error) {
        if (this.#stopped.signal.aborted) break
        const pause = this.dependencies.pauses[number - 1]
        const isLast = pause === undefined || this.dependencies.isPermanent(error)
        this.dependencies.onFailed(error, number, isLast)
        if (isLast) return
        await sleep(pause, undefined, { signal: this.#stopped.signal }).catch(() => {})
        if (this.#stopped.signal.aborted) break
      }
    }
    this.#lost++
  }
}
