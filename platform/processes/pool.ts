import type { ChildProcess } from 'node:child_process'
import { endChild } from './child.js'
import type { Sent, Work } from './messages.js'
import { hold, Lost, type Member, Talk } from './talk.js'
import { Thread } from './thread.js'

/** A class of errors. */
type ErrorClass = abstract new (...of: never[]) => Error

/** Times in milliseconds. */
interface Options<One> {
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

interface Company<W extends Work> {
  /** The caller of the job no longer waits after it is aborted. */
  signal?: AbortSignal | undefined
  /** Answers requests of the job. */
  answer?(question: W['question']): Promise<W['reply']>
}

/**
 * Processes or threads with the same work, one job at a time each (`serve.ts`). They are started on demand; an idle one
 * waits for the next job, and one that hangs, dies or is given up ends alone. The caller decides how many work at a time.
 */
export class Pool<W extends Work, One extends Member = ChildProcess> {
  readonly #options: Options<One>
  readonly #talks = new Map<One, Talk>()
  readonly #stopping = new Set<Promise<unknown>>()
  #idle: One | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(options: Options<One>) {
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
    const talk = new Talk(member, { silentMs, isStarting: idle === null, ...company })
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
    hold(member, false)
    // One that dies while it waits is removed.
    const forget = () => void (this.#idle === member && this.#takeIdle())
    member.on('error', forget)
    member.on('exit', forget)
    return member
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
    const ending = member instanceof Thread ? member.end(isHung) : endChild(member as ChildProcess)
    const stopping = ending.finally(() => this.#stopping.delete(stopping))
    this.#stopping.add(stopping)
  }
}

/** The error sent by a member. */
function thrown({ name, message, stack, own }: Sent, known: readonly ErrorClass[] = []): Error {
  const prototype = known.find(one => one.name === name)?.prototype ?? Error.prototype
  return Object.assign(Object.setPrototypeOf(new Error(message), prototype), own, { stack })
}
