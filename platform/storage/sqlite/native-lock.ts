import { LOCK, sharedOfThisThread } from '../../processes/thread.js'

/** Keeps a thread from being terminated while `enter` has been called more often than `leave`. */
export interface NativeLock {
  enter(): void
  leave(): void
}

/** The lock of this thread; null in the main thread, which is never terminated. */
export function nativeLock(): NativeLock | null {
  const shared = sharedOfThisThread()
  if (!shared) return null
  const { at, free, held, closed } = LOCK
  let depth = 0
  return {
    enter() {
      if (depth++ > 0) return
      // Closed: the thread is about to be terminated, which ends this wait.
      if (Atomics.compareExchange(shared, at, free, held) === closed) Atomics.wait(shared, at, closed)
    },
    leave() {
      if (--depth === 0) Atomics.store(shared, at, free)
    },
  }
}
