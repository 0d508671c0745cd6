import type { SafeIndex } from '../index/safe-index.js'

/** Only passages of this time, both ends included, in milliseconds since 1970. Facts have no time and lie in no range. */
export interface TimeRange {
  since?: number
  until?: number
}

/** What an empty answer tells of its range. */
export interface RangeReport {
  /** Passages of the Safe that have a time, and the earliest and latest one. */
  timed: number
  first: number
  last: number
  /** Passages in the range, whatever they say. */
  inRange: number
  /** Facts and passages that the same question finds without a range. */
  withoutRange: number
}

export const isRanged = ({ since, until }: TimeRange): boolean => since !== undefined || until !== undefined

/** Tells passages in the range from others, and from those without a time. Without a range all lie in it. */
export function timeTest({ passages: { times } }: SafeIndex, range: TimeRange): (passage: number) => boolean {
  if (!isRanged(range)) return () => true
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = range
  return passage => {
    const time = times[passage] ?? Number.NaN
    return time >= since && time <= until
  }
}

export function rangeReport(index: SafeIndex, range: TimeRange, withoutRange: number): RangeReport {
  const isInRange = timeTest(index, range)
  const { times, timed, first, last } = index.passages
  let inRange = 0
  for (let passage = 0; passage < times.length; passage++) if (isInRange(passage)) inRange++
  return { timed, first, last, inRange, withoutRange }
}
