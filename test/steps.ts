import { Session } from 'node:inspector/promises'
import type { Test } from 'tap'

let stepsOf: Awaited<ReturnType<typeof stepCounter>> | undefined

/** Work of a given size. Its input is created before steps are counted. */
type Work = (size: number) => (() => unknown) | Promise<() => unknown>

/** Linear work takes four times as many steps, n log n five times, and quadratic work sixteen times. */
export async function isInProportion(t: Test, what: string, work: Work, size = 1_000): Promise<void> {
  stepsOf ??= await stepCounter()
  const [few, many] = [await stepsOf(await work(size)), await stepsOf(await work(4 * size))]
  t.ok(many <= 6 * few + 500, `${what}: ${few} and ${many} steps`)
}

export const upTo = <T>(size: number, item: (at: number) => T): T[] =>
  Array.from({ length: size }, (_, at) => item(at))

/**
 * Starts to count how often every block of code runs, including loops, as V8 does for coverage: the same number on
 * every machine, busy or not. Native functions and regular expressions count as one step. For a file with a process of
 * its own: code that ran earlier is counted by function only, and the process runs slowly from then on.
 */
async function stepCounter(): Promise<(work: () => unknown) => Promise<number>> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  /** Steps in our code and its packages since the last call. */
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
