import { LOCK, sharedOfThisThread } from '../../processes/thread.js'

/** In a thread: keeps it from being terminated while `enter` has been called more often than `leave`. */
export class NativeLock {
  readonly #shared: Int32Array
  #depth = 0

  constructor(shared: Int32Array) {
    this.#shared = shared
  }

  /** Null in the main thread, which nobody terminates. */
  static ofThisThread(): NativeLock | null {
    const shared = sharedOfThisThread()
    return shared ? new NativeLock(shared) : null
  }

  enter(): void {
    if (this.#depth++ > 0) return
    // Closed: the thread is about to be terminated, which ends this wait.
    if (Atomics.compareExchange(this.#shared, LOCK.at, LOCK.free, LOCK.held) === LOCK.closed)
      Atomics.wait(this.#shared, LOCK.at, LOCK.closed)
  }

  leave(): void {
    if (--this.#depth === 0) Atomics.store(this.#shared, LOCK.at, LOCK.free)
  }
}
