import type { Part } from '../deep/parts.js'

/** Each part runs at least once in this many runs. */
const AT_LEAST_EVERY = 5

/** Duration of `npm test` on two idle processors. */
const TESTS_MINUTES = 5

/** The latest end of the last part, two minutes before `.ci/run` would be stopped. */
const END_MINUTES = 18

export interface Choice {
  run: Part[]
  /** What there was no time for. */
  left: Part[]
}

/**
 * The parts that `.ci/run` runs besides `npm test`: first those that have waited longest, then those that the changed
 * paths require, then the rest in rotation, until `minutes` are full. At least one part is chosen.
 * @param changed paths since the last run; null if unknown, which requires everything
 * @param waited number of runs since each part ran
 */
export function chooseParts(
  parts: readonly Part[],
  changed: readonly string[] | null,
  waited: Readonly<Record<string, number>>,
  minutes: number,
): Choice {
  const runsSince = ({ name }: Part) => waited[name] ?? AT_LEAST_EVERY
  const isDue = (part: Part) => runsSince(part) >= AT_LEAST_EVERY - 1
  const isCalledFor = ({ rooms }: Part) =>
    changed === null || changed.some(path => rooms.some(room => path.startsWith(room)))
  const rank = (part: Part) => (isDue(part) ? 2 : 0) + (isCalledFor(part) ? 1 : 0)
  const inOrder = parts.toSorted((a, b) => rank(b) - rank(a) || runsSince(b) - runsSince(a))
  const choice: Choice = { run: [], left: [] }
  let rest = minutes
  for (const part of inOrder) {
    const fits = part.minutes <= rest || choice.run.length === 0
    choice[fits ? 'run' : 'left'].push(part)
    if (fits) rest -= part.minutes
  }
  return choice
}

/**
 * Whether a chosen part still ends in time on this machine, judged by the duration of `npm test`.
 * @param elapsed minutes since `.ci/run` began
 * @param tests minutes that `npm test` took
 */
export function endsInTime({ minutes }: Part, elapsed: number, tests: number): boolean {
  return elapsed + minutes * Math.max(1, tests / TESTS_MINUTES) <= END_MINUTES
}
