import type { ChildProcess } from 'node:child_process'
import type { EventEmitter } from 'node:events'
import { Worker } from 'node:worker_threads'
import { ranOutOfMemory } from './child.js'
import { ALIVE } from './in-child.js'

/** Checks per period of allowed silence. */
const CHECKS = 5
/** While it starts, a member may be silent this many times as long. */
const TO_START = 5

/** A process or a thread of a pool. */
export type Member = ChildProcess | Worker

/** Why a member did not do what it was asked for. */
export class Lost extends Error {
  /** `stopped`: its pool has ended it. */
  readonly how: 'silent' | 'memory' | 'error' | 'exit' | 'stopped'

  constructor(how: Lost['how'], detail: unknown = how, cause?: unknown) {
    super(`a process was lost: ${detail}`, { cause })
    this.how = how
  }
}

interface Options {
  /** After this time without a message, the member counts as hung; undefined: it may be silent. Milliseconds. */
  silentMs?: number | undefined
  /** A starting member may be silent for longer. */
  isStarting: boolean
  /** Whoever talks no longer waits when it is aborted. */
  signal?: AbortSignal | undefined
  /** Takes the member back, with what went wrong. */
  onEnd(isUsable: boolean, error: unknown): void
}

/** The use of a member by one job, from the first message to `end`. The process lives at least as long. */
export class Talk<In, Out, One extends Member = ChildProcess> {
  readonly member: One
  readonly #options: Options
  #checks: NodeJS.Timeout | undefined
  /** Checks since the last sign of life, instead of time: so that a member gets its turn first after the machine has slept. */
  #silent = 0
  readonly #arrived: Out[] = []
  #wanted: { resolve(message: Out): void; reject(error: unknown): void } | null = null
  #failed: { error: unknown } | null = null
  #isEnded = false

  constructor(member: One, options: Options) {
    this.member = member
    this.#options = options
    const { silentMs, isStarting, signal } = options
    if (isStarting) this.#silent = -CHECKS * (TO_START - 1)
    if (silentMs) this.#checks = setInterval(this.#onCheck, silentMs / CHECKS)
    signal?.addEventListener('abort', this.#onAbort, { once: true })
    const events: EventEmitter = member
    events.on('message', this.#onMessage).on('error', this.#onError).on('exit', this.#onExit)
    hold(member)
  }

  /** When the member has ended, its end says so. */
  send(message: In): void {
    if (this.#isEnded) return
    const member: Member = this.member
    if (member instanceof Worker) member.postMessage(message)
    else member.send(message as object, () => {})
  }

  /** The next message. @throws Lost; the reason of the signal */
  next(): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#wanted = { resolve, reject }
      this.#deliver()
    })
  }

  /** Sends a message and waits for one, for so many milliseconds. Throws like `next`. */
  async ask(message: In, withinMs: number): Promise<Out> {
    const late = setTimeout(() => this.fail(new Lost('silent')), withinMs)
    this.send(message)
    return this.next().finally(() => clearTimeout(late))
  }

  /** Ends what is waited for. The member is not used again. */
  fail(error: unknown): void {
    this.#failed ??= { error }
    this.#deliver()
  }

  /** Gives the member back, to be used again if it `isDone`. */
  end(isDone: boolean): void {
    if (this.#isEnded) return
    this.#isEnded = true
    const { onEnd, signal } = this.#options
    const failed = this.#failed
    this.fail(new Lost('stopped'))
    clearInterval(this.#checks)
    signal?.removeEventListener('abort', this.#onAbort)
    const events: EventEmitter = this.member
    events.off('message', this.#onMessage).off('error', this.#onError).off('exit', this.#onExit)
    letGo(this.member)
    onEnd(isDone && !failed, failed?.error)
  }

  readonly #onMessage = (message: Out | typeof ALIVE): void => {
    this.#silent = 0
    if (message === ALIVE) return
    this.#arrived.push(message)
    this.#deliver()
  }

  readonly #onCheck = (): void => {
    if (++this.#silent > CHECKS) this.fail(new Lost('silent'))
  }

  readonly #onError = (error: Error & { code?: string }): void =>
    this.fail(new Lost(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'error', error.message, error))

  readonly #onExit = (code: number | null, signal: NodeJS.Signals | null = null): void =>
    this.fail(new Lost(ranOutOfMemory(code, signal) ? 'memory' : 'exit', signal ?? code))

  readonly #onAbort = (): void => this.fail(this.#options.signal?.reason)

  #deliver(): void {
    const wanted = this.#wanted
    if (!wanted || (!this.#failed && this.#arrived.length === 0)) return
    this.#wanted = null
    if (this.#failed) wanted.reject(this.#failed.error)
    else wanted.resolve(this.#arrived.shift() as Out)
  }
}

/** This process stays as long as the member, … */
export function hold(member: Member): void {
  member.ref()
  if (!(member instanceof Worker)) member.channel?.ref()
}

/** … or does not wait for it. */
export function letGo(member: Member): void {
  member.unref()
  if (!(member instanceof Worker)) member.channel?.unref()
}
