/** Runs work. Asynchronous parts are not measured. */
export type Timed = <T>(work: () => T) => T

/**
 * Calls `onWork` with the milliseconds that each piece of work took on this thread. Once `signal` is aborted, each
 * piece throws its reason instead of beginning.
 */
export function stopwatch(onWork?: (ms: number) => void, signal?: AbortSignal): Timed {
  return work => {
    signal?.throwIfAborted()
    if (!onWork) return work()
    const startedAt = performance.now()
    try {
      return work()
    } finally {
      onWork(performance.now() - startedAt)
    }
  }
}
