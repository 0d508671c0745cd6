import { Session } from 'node:inspector/promises'

/**
 * Starts to count how often every block of code runs, loops included, as V8 does for coverage: the same number on every
 * machine, however busy. Native functions and regular expressions count as one step. For a file with a process of its
 * own: code that ran before is counted by the function only, and the process runs slowly from then on.
 */
export async function stepCounter(): Promise<(work: () => unknown) => Promise<number>> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  /** Of this code and its packages, since it was asked before. */
  const counted = async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result
      .filter(({ url }) => url.startsWith('file:') && !/\/test\/|\/node_modules\/@?tap/.test(url))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0)
  }
  return async work => {
    await counted()
    await work()
    return counted()
  }
}
