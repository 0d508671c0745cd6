import type { ChildProcess } from 'node:child_process'
import type { EventEmitter } from 'node:events'
import { endChild, ranOutOfMemory } from './child.js'
import type { FromMember, PoolWork, Sent, ToMember } from './serve.js'
import { Thread } from './thread.js'

/** Checks per period of allowed silence. */
const CHECKS = 5
/** Factor for the allowed silence of a starting member. */
const TO_START = 5

/** A process or a thread of a pool. */
type Member = ChildProcess | Thread

/** A class of errors. */
type ErrorClass = abstract new (...of: never[]) => Error

/** The reason why a member did not complete a request. `stopped`: its pool has ended it. */
const HOW = {
  silent: 'took too long',
  memory: 'took too much memory',
  error: 'failed',
  exit: 'ended unexpectedly',
  stopped: 'was stopped',
}

/** A member was lost, and its job with it. */
export class Lost extends Error {
  readonly how: keyof typeof HOW

  constructor(how: Lost['how'], detail: unknown = how, cause?: unknown) {
    super(`a process was lost: ${detail}`, { cause })
    this.how = how
  }

  /** Completes a sentence about the job. */
  get what(): string {
    return HOW[this.how]
  }
}

/** Times in milliseconds. */
interface PoolOptions<One> {
  start(): One
  /** Maximum silence of a working member: it sends heartbeats. Default: unlimited. */
  silentMs?: number | undefined
  /** Maximum time for a piece or the result. Default: unlimited. */
  answerMs?: number
  /** How long an idle one is kept. Default: unlimited. */
  idleMs?: number
  /** Whether an idle one is worth its memory. */
  isWorthKeeping?(member: One): boolean
  /** Error classes of jobs that are restored here; others become Error. */
  errors?: readonly ErrorClass[]
}

interface Company<W extends PoolWork> {
  /** The caller of the job no longer waits after it is aborted. */
  signal?: AbortSignal | undefined
  /** Answers requests of the job. */
  answer?(question: W['question']): Promise<W['reply']>
}

/**
 * Processes or threads with the same work, one job at a time each (`serve.ts`). They are started on demand; an idle one
 * waits for the next job, and one that hangs, dies or is given up ends alone. The caller decides how many work at a time.
 */
export class Pool<W extends PoolWork, One extends Member = ChildProcess> {
  readonly #options: PoolOptions<One>
  readonly #talks = new Map<One, Talk>()
  readonly #stopping = new Set<Promise<unknown>>()
  #idle: One | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(options: PoolOptions<One>) {
    this.#options = options
  }

  /** The working ones. */
  get working(): One[] {
    return [...this.#talks.keys()]
  }

  /** Starts one in advance, unless there is one. */
  warm(): void {
    if (!this.#idle && this.#talks.size === 0) this.#keep(this.#started())
  }

  /**
   * Gives a job to the waiting one, or to a new one. If the caller does not read all pieces, or aborts the signal,
   * the member ends. @throws Lost; the reason of the signal; errors of the job
   */
  async *run(
    job: W['job'],
    company: Company<W> = {},
  ): AsyncGenerator<NonNullable<W['piece']>, W['result'], W['next']> {
    const { answerMs, errors, silentMs } = this.#options
    const idle = this.#takeIdle()
    const member = idle ?? this.#started()
    const talk = new Talk(member, company, silentMs, idle === null)
    this.#talks.set(member, talk)
    let isDone = false
    try {
      let next: W['job'] | W['next'] = job
      for (;;) {
        const answer = await talk.next(next, answerMs)
        isDone = !('piece' in answer)
        if ('failed' in answer) throw thrown(answer.failed, errors)
        if ('done' in answer) return answer.done
        next = yield answer.piece as NonNullable<W['piece']>
      }
    } finally {
      this.#takeBack(member, isDone)
    }
  }

  /** The result of a job that yields nothing before. Throws like `run`. */
  async result(job: W['job'], company?: Company<W>): Promise<W['result']> {
    return (await this.run(job, company).next()).value
  }

  /** Ends all, working or not. Resolves when they have ended; the next job gets a new one. */
  async end(): Promise<void> {
    const idle = this.#takeIdle()
    if (idle) this.#stop(idle)
    for (const [member, talk] of this.#talks) {
      talk.fail(new Lost('stopped'))
      this.#takeBack(member, false)
    }
    await Promise.all(this.#stopping)
  }

  #started(): One {
    const member = this.#options.start()
    const events: EventEmitter = member
    events.on('message', (message: FromMember) => this.#talks.get(member)?.hear(message))
    events.on('error', (error: NodeJS.ErrnoException) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      this.#lost(member, new Lost(isMemory ? 'memory' : 'error', error.message, error))
    })
    events.on('exit', (code: number | null, signal: NodeJS.Signals | null = null) => {
      this.#lost(member, new Lost(ranOutOfMemory(code, signal) ? 'memory' : 'exit', signal ?? code))
    })
    hold(member, false)
    return member
  }

  #lost(member: One, error: Lost): void {
    if (this.#idle === member) this.#takeIdle()
    this.#talks.get(member)?.fail(error)
  }

  #takeBack(member: One, isDone: boolean): void {
    const talk = this.#talks.get(member)
    if (!talk || !this.#talks.delete(member)) return
    talk.end()
    if (isDone && talk.error === undefined) this.#keep(member)
    else this.#stop(member, talk.error instanceof Lost && talk.error.how === 'silent')
  }

  #keep(member: One): void {
    const { isWorthKeeping = () => true, idleMs } = this.#options
    if (this.#idle || !isWorthKeeping(member)) return void this.#stop(member)
    this.#idle = member
    if (idleMs === undefined) return
    const expire = () => this.#idle === member && this.#stop(this.#takeIdle() ?? member)
    this.#timer = setTimeout(expire, idleMs).unref()
  }

  #takeIdle(): One | null {
    const idle = this.#idle
    this.#idle = null
    clearTimeout(this.#timer)
    return idle
  }

  /** Resolves when it has ended: its parent must not end before. */
  #stop(member: Member, isHung = false): void {
    const ending = member instanceof Thread ? member.end(isHung) : endChild(member)
    const stopping = ending.finally(() => this.#stopping.delete(stopping))
    this.#stopping.add(stopping)
  }
}

type Answer = Exclude<FromMember, 'alive' | { ask: number }>

/** One job of a member, which is monitored until `end`. Keeps this process alive. */
class Talk {
  readonly #member: Member
  readonly #company: Company<PoolWork>
  readonly #checks: NodeJS.Timeout | undefined
  /** Checks since the last heartbeat, instead of time: so that a member gets its turn first after the machine has slept. */
  #silent: number
  #wanted: { resolve(answer: Answer): void; reject(error: unknown): void } | null = null
  /** The reason why it failed, or undefined. */
  error: unknown

  /** `silentMs`: after this time without a message or heartbeat, the member counts as hung. A starting one may be silent for longer. */
  constructor(member: Member, company: Company<PoolWork>, silentMs: number | undefined, isStarting: boolean) {
    this.#member = member
    this.#company = company
    this.#silent = isStarting ? -CHECKS * (TO_START - 1) : 0
    const check = () => ++this.#silent > CHECKS && this.fail(new Lost('silent'))
    if (silentMs) this.#checks = setInterval(check, silentMs / CHECKS)
    company.signal?.addEventListener('abort', this.#onAbort, { once: true })
    hold(member, true)
  }

  /** Sends the job, then the input of each further piece, and waits for the answer. @throws Lost; the reason of the signal */
  async next(next: unknown, withinMs?: number): Promise<Answer> {
    const late = withinMs && setTimeout(() => this.fail(new Lost('silent')), withinMs)
    this.#send({ next })
    return new Promise<Answer>((resolve, reject) => {
      if (this.error === undefined) this.#wanted = { resolve, reject }
      else reject(this.error)
    }).finally(() => clearTimeout(late || undefined))
  }

  hear(message: FromMember): void {
    this.#silent = 0
    if (message === 'alive') return
    if ('ask' in message) void this.#reply(message.question, message.ask)
    else this.#wanted?.resolve(message)
  }

  /** Cancels the pending answer. The member is not used again. */
  fail(error: unknown): void {
    this.error ??= error
    this.#wanted?.reject(this.error)
  }

  end(): void {
    clearInterval(this.#checks)
    this.#company.signal?.removeEventListener('abort', this.#onAbort)
    hold(this.#member, false)
  }

  async #reply(question: unknown, reply: number): Promise<void> {
    try {
      this.#send({ reply, value: await this.#company.answer?.(question) })
    } catch (error) {
      this.#send({ reply, error })
    }
  }

  /** If the member has ended, its exit is the reason. */
  #send(message: ToMember): void {
    if (this.#member instanceof Thread) this.#member.postMessage(message)
    else this.#member.send(message as object, () => {})
  }

  readonly #onAbort = (): void => this.fail(this.#company.signal?.reason)
}

/** Whether this process stays alive as long as the member. */
function hold(member: Member, isHeld: boolean): void {
  const how = isHeld ? 'ref' : 'unref'
  member[how]()
  if (!(member instanceof Thread)) member.channel?.[how]()
}

/** The error sent by a member. */
function thrown({ name, message, stack, own }: Sent, known: readonly ErrorClass[] = []): Error {
  const prototype = known.find(one => one.name === name)?.prototype ?? Error.prototype
  return Object.assign(Object.setPrototypeOf(new Error(message), prototype), own, { stack })
}
