/** Runs work; what it does later, after awaiting something, is not counted. */
export type Timed = <T>(work: () => T) => T

/** Tells `onWork` how many milliseconds of this thread each piece of work took. */
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
