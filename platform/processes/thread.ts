import { extname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  getEnvironmentData,
  isMainThread,
  type ResourceLimits,
  setEnvironmentData,
  Worker,
} from 'node:worker_threads'

/** Maximum time for a thread to end on request. */
const END_MS = 1_000

const KEY = 'svc:thread'
/** Index of its process's id in the shared memory of a thread. */
export const CHILD = 1
/** Index of its native code state in shared memory, and the states. */
export const LOCK = { at: 0, free: 0, held: 1, closed: 2 }

/**
 * A thread that is never terminated inside native code. Terminated while it loads or calls a SQLite driver, a thread
 * crashes the whole process (`terminate called after throwing an instance of 'Napi::Error'`). A process that it has
 * started ends with it.
 */
export class Thread extends Worker {
  readonly #shared: Int32Array

  /** Runs the module `name` next to `from` (an `import.meta.url`): compiled, or TypeScript in tests. */
  constructor(name: string, from: string, workerData?: unknown, resourceLimits: ResourceLimits = {}) {
    const shared = new Int32Array(new SharedArrayBuffer(8))
    // Copied into the thread when it is created.
    setEnvironmentData(KEY, shared)
    super(new URL(`./${name}${extname(from)}`, from), { workerData, resourceLimits })
    this.#shared = shared
    this.once('exit', () => this.#killChild())
  }

  /** Lets it end its process first, unless it hangs. Resolves when it has ended. */
  async end(isHung: boolean): Promise<void> {
    if (this.threadId !== -1 && !isHung && Atomics.load(this.#shared, CHILD) > 0) {
      // With nothing else to do, Node would exit with 13 instead of waiting for the thread.
      this.ref()
      this.postMessage('end')
      const isEnded = new Promise(resolve => this.once('exit', () => resolve(true)))
      if (await Promise.race([isEnded, pause(END_MS, false, { ref: false })])) return
    }
    await this.terminate()
  }

  /** Waits until the thread is outside native code, and prevents it from entering again. */
  override async terminate(): Promise<number> {
    while (Atomics.compareExchange(this.#shared, LOCK.at, LOCK.free, LOCK.closed) === LOCK.held)
      await pause(1)
    return super.terminate()
  }

  /** A hung process does not notice that its thread has died. */
  #killChild(): void {
    const child = Atomics.exchange(this.#shared, CHILD, 0)
    try {
      if (child > 0) process.kill(child, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
}

/** The memory this thread shares with the one that started it; undefined in the main thread, which is never terminated. */
export const sharedOfThisThread = () =>
  isMainThread ? undefined : (getEnvironmentData(KEY) as Int32Array | undefined)
