import type { SafeIndex } from '../index/safe-index.js'
import type { Period } from '../text/date.js'

/** Limits results by time, in milliseconds since 1970, both ends included (ADR 55). */
export interface TimeRange {
  /** Only passages of this time, and facts that were true at some moment of it. What has no time is left out. */
  since?: number
  until?: number
  /** What held then: without facts that began later or had ended, and without later passages. */
  asOf?: Period
}

/** Why a time range left nothing. */
export interface RangeReport {
  /** Passages of the Safe with a time, and the first and last of these times. */
  timed: number
  first: number
  last: number
  /** All passages in the range. */
  inRange: number
  /** Facts of the Safe with a date, and those in the range. */
  timedFacts: number
  factsInRange: number
  /** Facts and passages found by the same question without a range. */
  withoutRange: number
  /** Whether the question asked for one moment instead of a range. */
  isAsOf: boolean
}

export const isRanged = ({ since, until }: TimeRange): boolean => since !== undefined || until !== undefined

export const isTimed = (range: TimeRange): boolean => isRanged(range) || range.asOf !== undefined

/** Whether passages may be left out. */
export const limitsPassages = ({ passages }: SafeIndex, range: TimeRange): boolean =>
  isRanged(range) || (range.asOf !== undefined && passages.timed > 0)

/**
 * Tests whether a passage is in the range. `since` and `until` exclude passages without a time. Without a range all
 * match.
 */
export function timeTest(index: SafeIndex, range: TimeRange): (passage: number) => boolean {
  if (!limitsPassages(index, range)) return () => true
  const { times } = index.passages
  const { since = Number.NEGATIVE_INFINITY, until = range.asOf?.to ?? Number.POSITIVE_INFINITY } = range
  const isUntimedIn = !isRanged(range)
  return passage => {
    const time = times[passage] ?? Number.NaN
    return (time >= since && time <= until) || (isUntimedIn && Number.isNaN(time))
  }
}

/** The same for facts. A fact without dates is in no range, but may hold at any moment. */
export function factTest({ facts: { periods } }: SafeIndex, range: TimeRange): (fact: number) => boolean {
  if (!isTimed(range)) return () => true
  const { since = range.asOf?.from ?? Number.NEGATIVE_INFINITY } = range
  const { until = range.asOf?.to ?? Number.POSITIVE_INFINITY } = range
  const isUntimedIn = !isRanged(range)
  return fact => {
    const period = periods.of[fact] ?? 0
    if (period === 0) return isUntimedIn
    return (periods.from[period] ?? 0) <= until && (periods.to[period] ?? 0) >= since
  }
}

/** Weight of a fact that a newer one has superseded, in an answer about no time in particular. */
const ofSuperseded = 0.5

/** The weight of a fact in an answer; 0: it is not in the range. */
export function factWeight(index: SafeIndex, range: TimeRange): (fact: number) => number {
  const { of, superseded } = index.facts.periods
  if (isTimed(range)) {
    const isInRange = factTest(index, range)
    return fact => Number(isInRange(fact))
  }
  if (!superseded.includes(1)) return () => 1
  return fact => (superseded[of[fact] ?? 0] === 1 ? ofSuperseded : 1)
}

export function rangeReport(index: SafeIndex, range: TimeRange, withoutRange: number): RangeReport {
  const { timed, first, last, times } = index.passages
  const periods = index.facts.periods.of
  const [isInRange, isFactInRange] = [timeTest(index, range), factTest(index, range)]
  let [inRange, timedFacts, factsInRange] = [0, 0, 0]
  for (let passage = 0; passage < times.length; passage++) if (isInRange(passage)) inRange++
  for (let fact = 0; fact < periods.length; fact++) {
    if (periods[fact] === 0) continue
    timedFacts++
    if (isFactInRange(fact)) factsInRange++
  }
  const isAsOf = range.asOf !== undefined
  return { timed, first, last, inRange, timedFacts, factsInRange, withoutRange, isAsOf }
}
