import type { Part } from '../deep/parts.js'

/** Each part runs at least once in this many runs. */
const AT_LEAST_EVERY = 5

/** What `npm test` takes on two processors that do nothing else. */
const TESTS_MINUTES = 5

/** When the last part should have ended, two minutes before `.ci/run` would be stopped. */
const END_MINUTES = 18

export interface Choice {
  run: Part[]
  /** What there was no time for. */
  left: Part[]
}

/**
 * What `.ci/run` runs besides `npm test`: first what has waited for longest, then what the changed paths call for, then
 * the rest in rotation, until `minutes` are full. At least one part is chosen.
 * @param changed paths since the last run; null if that is not known, which calls for everything
 * @param waited in how many runs a part has been left since it ran
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
 * Whether a part that was chosen still ends in time on this machine, which is as slow as `npm test` was.
 * @param elapsed minutes since `.ci/run` began
 * @param tests minutes that `npm test` took
 */
export function endsInTime({ minutes }: Part, elapsed: number, tests: number): boolean {
  return elapsed + minutes * Math.max(1, tests / TESTS_MINUTES) <= END_MINUTES
}
