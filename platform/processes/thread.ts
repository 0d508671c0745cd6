import type { ChildProcess } from 'node:child_process'
import { extname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  getEnvironmentData,
  isMainThread,
  type ResourceLimits,
  setEnvironmentData,
  Worker,
  type WorkerOptions,
} from 'node:worker_threads'
import { END } from './messages.js'

/**
 * Starts a thread running the module `name` next to `from` (an `import.meta.url`): compiled, or TypeScript in
 * tests.
 */
export const startThread = (
  name: string,
  from: string,
  workerData?: unknown,
  resourceLimits: ResourceLimits = {},
): Worker => new Thread(new URL(`./${name}${extname(from)}`, from), { workerData, resourceLimits })

/** How long a thread may take to end when it is asked to. */
const END_MS = 1_000

const KEY = 'svc:thread'
/** Where the id of its process is in what a thread shares. */
const CHILD = 1
/** Where it shares whether it is in native code, and the states of that. */
export const LOCK = { at: 0, free: 0, held: 1, closed: 2 }

/**
 * A thread that is never terminated inside native code. Terminated while it loads or calls a SQLite driver, a thread
 * takes the whole process with it (`terminate called after throwing an instance of 'Napi::Error'`). A process that it has
 * started ends with it.
 */
export class Thread extends Worker {
  readonly #shared: Int32Array

  constructor(file: URL, options: WorkerOptions) {
    const shared = new Int32Array(new SharedArrayBuffer(8))
    // Copied into the thread when it is created.
    setEnvironmentData(KEY, shared)
    super(file, options)
    this.#shared = shared
    this.once('exit', () => this.#killChild())
  }

  /** Lets it end its process first, unless it hangs. Resolves when it has ended. */
  async end(isHung: boolean): Promise<void> {
    if (this.threadId !== -1 && !isHung && Atomics.load(this.#shared, CHILD) > 0) {
      // With nothing else to do, Node would exit with 13 instead of waiting for the thread.
      this.ref()
      this.postMessage(END)
      const isEnded = new Promise(resolve => this.once('exit', () => resolve(true)))
      if (await Promise.race([isEnded, pause(END_MS, false, { ref: false })])) return
    }
    await this.terminate()
  }

  /** Waits until the thread is outside native code, and keeps it from entering again. */
  override async terminate(): Promise<number> {
    while (Atomics.compareExchange(this.#shared, LOCK.at, LOCK.free, LOCK.closed) === LOCK.held)
      await pause(1)
    return super.terminate()
  }

  /** It does not notice that its thread has died, if it hangs. */
  #killChild(): void {
    const child = Atomics.exchange(this.#shared, CHILD, 0)
    try {
      if (child > 0) process.kill(child, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
}

/** What this thread shares with whoever started it; undefined in the main thread, which nobody terminates. */
export const sharedOfThisThread = () =>
  isMainThread ? undefined : (getEnvironmentData(KEY) as Int32Array | undefined)

/** The latest process of a thread is ended with it, however the thread ends. */
export function noteChild(child: ChildProcess): void {
  const shared = sharedOfThisThread()
  const { pid } = child
  if (!shared || pid === undefined) return
  Atomics.store(shared, CHILD, pid)
  child.once('exit', () => Atomics.compareExchange(shared, CHILD, pid, 0))
}
