import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { endChildren } from './child.js'

/** The work of a pool's members: its types. */
export interface PoolWork {
  job: unknown
  result?: unknown
  /** The values it yields before the result, and the inputs for the next one. */
  piece?: unknown
  next?: unknown
  /** The requests it may make while it works. */
  question?: unknown
  reply?: unknown
}

/** `name`: of its class. `own`: its other members. */
export type Sent = Pick<Error, 'name' | 'message'> & { stack: string | undefined; own: object }

/** `next`: first the job, then the input of its next piece. */
export type ToMember = { next: unknown } | { reply: number; value?: unknown; error?: unknown }

/** `alive`: a heartbeat, sent on a timer, which a hung process or thread does not run. */
export type FromMember =
  | { piece: unknown }
  | { done: unknown }
  | { failed: Sent }
  | { ask: number; question: unknown }
  | 'alive'

const ALIVE_MS = 500

/** Sends a request to the caller of the job. Rejects with its error. */
export type Ask<W extends PoolWork> = (question: W['question']) => Promise<W['reply']>
type Running<W extends PoolWork> = AsyncGenerator<W['piece'], W['result'], W['next']>
type Run<W extends PoolWork> = (job: W['job'], ask: Ask<W>) => Promise<W['result']> | Running<W>

/**
 * Does the jobs of a `Pool`, one after the other, in a process (`child.ts`) or a thread (`thread.ts`): to be called first
 * there. A job with one answer returns it; one that yields continues when its next piece is requested. Sends heartbeats
 * while it works.
 */
export function serve<W extends PoolWork>(run: Run<W>): void {
  let running: Running<W> | null = null
  let asked = 0
  let heartbeat: NodeJS.Timeout | undefined
  const replies = new Map<number, (reply: Extract<ToMember, { reply: number }>) => void>()
  const ask: Ask<W> = question =>
    new Promise((resolve, reject) => {
      replies.set(++asked, ({ value, error }) => (error ? reject(error) : resolve(value)))
      send({ ask: asked, question })
    })
  const advance = async (next: unknown): Promise<Exclude<FromMember, 'alive'>> => {
    try {
      if (!running) {
        const began = run(next, ask)
        if (!(Symbol.asyncIterator in began)) return { done: await began }
        running = began
      }
      const { done, value } = await running.next(next as W['next'])
      if (!done) return { piece: value }
      running = null
      return { done: value }
    } catch (error) {
      running = null
      return { failed: sent(error) }
    }
  }
  const send = (isMainThread ? ofProcess : ofThread)(message => {
    if ('next' in message) {
      heartbeat ??= setInterval(() => send('alive'), ALIVE_MS).unref()
      return void advance(message.next).then(answer => {
        if (!('piece' in answer)) heartbeat = void clearInterval(heartbeat)
        send(answer)
      })
    }
    replies.get(message.reply)?.(message)
    replies.delete(message.reply)
  })
}

function sent(thrown: unknown): Sent {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const { message, stack } = error
  return { name: error.constructor.name, message, stack, own: { ...error } }
}

type Take = (message: ToMember) => void
type Send = (message: FromMember) => void

/**
 * A process ends with its parent, and if it uses too much memory: a thread monitors that, because one native operation
 * can block the main thread. Signals that a terminal or a container sends to all processes are left
 * to the parent, which ends its children.
 */
function ofProcess(take: Take): Send {
  const [guard = '', parent, memoryMb] = process.argv.slice(2)
  const watch = new Worker(guard, { workerData: { parent: Number(parent), memoryMb: Number(memoryMb) } })
  watch.unref()
  process.on('disconnect', () => process.exit())
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  process.on('message', (message: ToMember) => {
    if ('next' in message) watch.postMessage(true)
    take(message)
  })
  // Errors caused by the end of the service are followed by `disconnect`.
  return message => {
    if (message !== 'alive' && ('done' in message || 'failed' in message)) watch.postMessage(false)
    process.send?.(message, undefined, undefined, () => {})
  }
}

/** A thread that is asked to end does so after the processes that it has started have ended. */
function ofThread(take: Take): Send {
  parentPort?.on('message', (message: ToMember | 'end') => {
    if (message === 'end') void endChildren().then(() => process.exit())
    else take(message)
  })
  return message => parentPort?.postMessage(message)
}
