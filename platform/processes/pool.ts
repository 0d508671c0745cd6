import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { hold, Lost, letGo, type Member, Talk } from './talk.js'

interface Options<One> {
  start(): One
  /** How long a member that works may be silent: it gives signs of life. Default: for ever. Milliseconds. */
  silentMs?: number | undefined
  /** How long one that has nothing to do is kept. Default: for ever. Milliseconds. */
  idleMs?: number
  /** Whether one that has nothing to do is worth its memory. */
  isWorthKeeping?(member: One): boolean
  /** Ends one. `error`: what went wrong with it. Default: at once. */
  stop?(member: One, error: unknown): Promise<unknown>
}

/**
 * Processes or threads that do the same, one job at a time each. They are started on demand; one that is done waits for
 * the next job, and one that hangs, dies or is given up ends alone. How many work at a time is up to the caller.
 */
export class Pool<In, Out, One extends Member = ChildProcess> {
  readonly #options: Options<One>
  readonly #talks = new Set<Talk<In, Out, One>>()
  readonly #stopping = new Set<Promise<unknown>>()
  #idle: One | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(options: Options<One>) {
    this.#options = options
  }

  /** Those that work. */
  get working(): One[] {
    return [...this.#talks].map(({ member }) => member)
  }

  /** Starts one, so that it is there when it is needed, unless there is any. */
  warm(): void {
    if (!this.#idle && this.#talks.size === 0) this.#keep(this.#started())
  }

  /** Gives a job to the one that waits, or to a new one. Aborting the signal ends it. */
  begin(signal?: AbortSignal): Talk<In, Out, One> {
    const idle = this.#takeIdle()
    const member = idle ?? this.#started()
    const { silentMs } = this.#options
    const onEnd = (isUsable: boolean, error: unknown) => {
      this.#talks.delete(talk)
      if (isUsable) this.#keep(member)
      else this.#stop(member, error)
    }
    const talk = new Talk<In, Out, One>(member, { silentMs, isStarting: idle === null, signal, onEnd })
    this.#talks.add(talk)
    return talk
  }

  /** Ends all, whatever they do. Resolves when they have ended; the next job has a new one. */
  async end(): Promise<void> {
    const idle = this.#takeIdle()
    if (idle) this.#stop(idle, undefined)
    for (const talk of [...this.#talks]) {
      talk.fail(new Lost('stopped'))
      talk.end(false)
    }
    await Promise.all(this.#stopping)
  }

  #started(): One {
    const member = this.#options.start()
    letGo(member)
    // One that dies while it waits is forgotten.
    const forget = () => void (this.#idle === member && this.#takeIdle())
    member.on('error', forget)
    member.on('exit', forget)
    return member
  }

  #keep(member: One): void {
    const { isWorthKeeping = () => true, idleMs } = this.#options
    if (this.#idle || !isWorthKeeping(member)) return void this.#stop(member, undefined)
    this.#idle = member
    if (idleMs === undefined) return
    const expire = () => this.#idle === member && this.#stop(this.#takeIdle() ?? member, undefined)
    this.#timer = setTimeout(expire, idleMs).unref()
  }

  #takeIdle(): One | null {
    const idle = this.#idle
    this.#idle = null
    clearTimeout(this.#timer)
    return idle
  }

  #stop(member: One, error: unknown): void {
    const { stop = kill } = this.#options
    const stopping = stop(member, error).finally(() => this.#stopping.delete(stopping))
    this.#stopping.add(stopping)
  }
}

/** Resolves when it has ended: before that, its parent must not. */
async function kill(member: Member): Promise<void> {
  if (member instanceof Worker) return void (await member.terminate())
  if (member.pid === undefined || member.exitCode !== null || member.signalCode !== null) return
  hold(member)
  member.kill('SIGKILL')
  await once(member, 'exit')
}
