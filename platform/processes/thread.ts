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

/**
 * Starts a thread running the module `name` next to `from` (an `import.meta.url`): compiled, or TypeScript in
 * tests.
 */
export const startThread = (
  name: string,
  from: string,
  workerData: unknown,
  resourceLimits: ResourceLimits = {},
): Worker => new Thread(new URL(`./${name}${extname(from)}`, from), { workerData, resourceLimits })

const KEY = 'svc:native-lock'
const FREE = 0
const HELD = 1
const CLOSED = 2

/**
 * A thread that is never terminated inside native code. Terminated while it loads or calls a SQLite driver, a thread
 * takes the whole process with it (`terminate called after throwing an instance of 'Napi::Error'`).
 */
class Thread extends Worker {
  readonly #lock: Int32Array

  constructor(file: URL, options: WorkerOptions) {
    const lock = new Int32Array(new SharedArrayBuffer(4))
    // Copied into the thread when it is created.
    setEnvironmentData(KEY, lock)
    super(file, options)
    this.#lock = lock
  }

  /** Waits until the thread is outside native code, and keeps it from entering again. */
  override async terminate(): Promise<number> {
    while (Atomics.compareExchange(this.#lock, 0, FREE, CLOSED) === HELD) await pause(1)
    return super.terminate()
  }
}

/** In a thread: keeps it from being terminated while `enter` has been called more often than `leave`. */
export class NativeLock {
  readonly #lock: Int32Array
  #depth = 0

  constructor(lock: Int32Array) {
    this.#lock = lock
  }

  /** Null in the main thread, which nobody terminates. */
  static ofThisThread(): NativeLock | null {
    const lock = isMainThread ? undefined : (getEnvironmentData(KEY) as Int32Array | undefined)
    return lock ? new NativeLock(lock) : null
  }

  enter(): void {
    if (this.#depth++ > 0) return
    // Closed: the thread is about to be terminated, which ends this wait.
    if (Atomics.compareExchange(this.#lock, 0, FREE, HELD) === CLOSED) Atomics.wait(this.#lock, 0, CLOSED)
  }

  leave(): void {
    if (--this.#depth === 0) Atomics.store(this.#lock, 0, FREE)
  }
}
