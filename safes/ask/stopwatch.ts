/** Runs work. Asynchronous parts are not measured. */
export type Timed = <T>(work: () => T) => T

/** Calls `onWork` with the milliseconds that each piece of work took on this thread. */
export function stopwatch(onWork?: (ms: number) => void): Timed {
  if (!onWork) return work => work()
  return work => {
    const startedAt = performance.now()
    try {
      return work()
    } finally {
      onWork(performance.now() - startedAt)
    }
  }
}
