import type { SafeIndex } from '../index/safe-index.js'

/**
 * Only passages of this time, both ends included, in milliseconds since 1970. Facts have no time and match no
 * range.
 */
export interface TimeRange {
  since?: number
  until?: number
}

/** Why a time range left nothing. */
export interface RangeReport {
  /** Passages of the Safe with a time, and the first and last of these times. */
  timed: number
  first: number
  last: number
  /** All passages in the range. */
  inRange: number
  /** Facts and passages found by the same question without a range. */
  withoutRange: number
}

export const isRanged = ({ since, until }: TimeRange): boolean => since !== undefined || until !== undefined

/**
 * Tests whether a passage is in the range, which excludes passages without a time. Without a range all match.
 */
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
