import type { ChildProcess } from 'node:child_process'
import type { EventEmitter } from 'node:events'
import { Worker } from 'node:worker_threads'
import { ranOutOfMemory } from './child.js'
import { ALIVE, type FromMember, type ToMember } from './messages.js'

/** Checks per period of allowed silence. */
const CHECKS = 5
/** Factor for the allowed silence of a starting member. */
const TO_START = 5

/** A process or a thread of a pool. */
export type Member = ChildProcess | Worker

/** The reason why a member did not complete a request. */
export class Lost extends Error {
  /** `stopped`: its pool has ended it. */
  readonly how: 'silent' | 'memory' | 'error' | 'exit' | 'stopped'

  constructor(how: Lost['how'], detail: unknown = how, cause?: unknown) {
    super(`a process was lost: ${detail}`, { cause })
    this.how = how
  }
}

interface Options {
  /** After this time without a message or heartbeat, the member counts as hung. Milliseconds. */
  silentMs?: number | undefined
  /** A starting member may be silent for longer. */
  isStarting: boolean
  /** The caller of the job no longer waits after it is aborted. */
  signal?: AbortSignal | undefined
  /** Answers requests of the job. */
  answer?(question: unknown): Promise<unknown>
}

type Answer = Exclude<FromMember, typeof ALIVE | { ask: number }>

/** The messages of one job to and from a member, which is monitored until `end`. Keeps this process alive. */
export class Talk {
  readonly #member: Member
  readonly #options: Options
  readonly #heard: Record<string, Parameters<EventEmitter['on']>[1]>
  #checks: NodeJS.Timeout | undefined
  /** Checks since the last heartbeat, instead of time: so that a member gets its turn first after the machine has slept. */
  #silent = 0
  #wanted: { resolve(answer: Answer): void; reject(error: unknown): void } | null = null
  #failed: { error: unknown } | null = null

  constructor(member: Member, options: Options) {
    this.#member = member
    this.#options = options
    const { silentMs, isStarting, signal } = options
    if (isStarting) this.#silent = -CHECKS * (TO_START - 1)
    if (silentMs) this.#checks = setInterval(() => this.#check(), silentMs / CHECKS)
    signal?.addEventListener('abort', this.#onAbort, { once: true })
    this.#heard = {
      message: (message: FromMember) => this.#hear(message),
      error: (error: Error & { code?: string }) =>
        this.fail(
          new Lost(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'error', error.message, error),
        ),
      exit: (code: number | null, signal: NodeJS.Signals | null = null) =>
        this.fail(new Lost(ranOutOfMemory(code, signal) ? 'memory' : 'exit', signal ?? code)),
    }
    for (const [event, heard] of Object.entries(this.#heard)) (member as EventEmitter).on(event, heard)
    hold(member, true)
  }

  /** The error, or undefined. */
  get error(): unknown {
    return this.#failed?.error
  }

  /** Sends the job, then the input of each further piece, and waits for the answer. @throws Lost; the reason of the signal */
  async next(next: unknown, withinMs?: number): Promise<Answer> {
    const late = withinMs && setTimeout(() => this.fail(new Lost('silent')), withinMs)
    this.#send({ next })
    return new Promise<Answer>((resolve, reject) => {
      if (this.#failed) reject(this.#failed.error)
      else this.#wanted = { resolve, reject }
    }).finally(() => clearTimeout(late || undefined))
  }

  /** Cancels the pending answer. The member is not used again. */
  fail(error: unknown): void {
    this.#failed ??= { error }
    this.#wanted?.reject(this.#failed.error)
  }

  end(): void {
    clearInterval(this.#checks)
    this.#options.signal?.removeEventListener('abort', this.#onAbort)
    for (const [event, heard] of Object.entries(this.#heard)) (this.#member as EventEmitter).off(event, heard)
    hold(this.#member, false)
  }

  /** If the member has ended, its exit is the reason. */
  #send(message: ToMember): void {
    if (this.#member instanceof Worker) this.#member.postMessage(message)
    else this.#member.send(message as object, () => {})
  }

  #hear(message: FromMember): void {
    this.#silent = 0
    if (message === ALIVE) return
    if ('ask' in message) void this.#reply(message.question, message.ask)
    else this.#wanted?.resolve(message)
  }

  async #reply(question: unknown, reply: number): Promise<void> {
    try {
      this.#send({ reply, value: await this.#options.answer?.(question) })
    } catch (error) {
      this.#send({ reply, error })
    }
  }

  #check(): void {
    if (++this.#silent > CHECKS) this.fail(new Lost('silent'))
  }

  readonly #onAbort = (): void => this.fail(this.#options.signal?.reason)
}

/** Whether this process stays alive as long as the member. */
export function hold(member: Member, isHeld: boolean): void {
  const how = isHeld ? 'ref' : 'unref'
  member[how]()
  if (!(member instanceof Worker)) member.channel?.[how]()
}
