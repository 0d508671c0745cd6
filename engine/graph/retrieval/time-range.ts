import type { SafeIndex } from '../index/safe-index.js'
import type { Period } from '../text/date.js'
import { factInPart, type PassageSet } from './part.js'

/** Limits of results: a time, in milliseconds since 1970, both ends included (ADR 55), and a part of the Safe. */
export interface TimeRange {
  /** Only passages of this part, and facts that came with them. */
  part?: PassageSet
  /** Only passages of this time, and facts that were true at some moment of it. Results without a time are left out. */
  since?: number
  until?: number
  /** The state at that time: without facts that began later or had ended, and without later passages. */
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

/** Whether a question has a beginning or an end in time. */
export const isRanged = ({ since, until }: TimeRange): boolean => since !== undefined || until !== undefined

/** Whether a question has a time: a range, or a day on which facts are true. */
export const isTimed = (range: TimeRange): boolean => isRanged(range) || range.asOf !== undefined

/** Whether anything may be left out, by time or place. */
export const isLimited = (range: TimeRange): boolean => isTimed(range) || range.part !== undefined

/** Whether passages may be left out. */
export const limitsPassages = ({ passages }: SafeIndex, range: TimeRange): boolean =>
  isRanged(range) || (range.asOf !== undefined && passages.timed > 0) || range.part !== undefined

/**
 * Tests whether a passage is in the part and the range. `since` and `until` exclude passages without a time. Without either
 * all match.
 */
export function passageTest(index: SafeIndex, range: TimeRange): (passage: number) => boolean {
  const { part } = range
  const isTimeless = !isRanged(range) && (range.asOf === undefined || index.passages.timed === 0)
  if (isTimeless) return part ? passage => part.passages[passage] === 1 : () => true
  const { times } = index.passages
  const { since = Number.NEGATIVE_INFINITY, until = range.asOf?.to ?? Number.POSITIVE_INFINITY } = range
  const isUntimedIn = !isRanged(range)
  return passage => {
    if (part && part.passages[passage] !== 1) return false
    const time = times[passage] ?? Number.NaN
    return (time >= since && time <= until) || (isUntimedIn && Number.isNaN(time))
  }
}

/** The same for facts. A fact without dates is in no range, but may be true at any moment. */
export function factTest(index: SafeIndex, range: TimeRange): (fact: number) => boolean {
  const { of, from, to } = index.facts.periods
  const isInPart = range.part ? factInPart(index, range.part) : () => true
  if (!isTimed(range)) return isInPart
  const { since = range.asOf?.from ?? Number.NEGATIVE_INFINITY } = range
  const { until = range.asOf?.to ?? Number.POSITIVE_INFINITY } = range
  const isUntimedIn = !isRanged(range)
  return fact => {
    const period = of[fact] ?? 0
    if (period === 0) return isUntimedIn && isInPart(fact)
    return (from[period] ?? 0) <= until && (to[period] ?? 0) >= since && isInPart(fact)
  }
}

/** Weight of a fact that a newer one has superseded, in an answer about no time in particular. */
const OF_SUPERSEDED = 0.5

/** The weight of a fact in an answer; 0: it is not in the range. */
export function factWeight(index: SafeIndex, range: TimeRange): (fact: number) => number {
  const { of, superseded } = index.facts.periods
  const isInRange = factTest(index, range)
  if (isTimed(range)) return fact => Number(isInRange(fact))
  const hasSuperseded = superseded.includes(1)
  if (!range.part && !hasSuperseded) return () => 1
  const weightOf = (fact: number) => (hasSuperseded && superseded[of[fact] ?? 0] === 1 ? OF_SUPERSEDED : 1)
  return fact => (isInRange(fact) ? weightOf(fact) : 0)
}

/** The results outside a range, for hints. `withoutRange`: results that the question would have without it. */
export function rangeReport(index: SafeIndex, range: TimeRange, withoutRange: number): RangeReport {
  const { timed, first, last, times } = index.passages
  const periods = index.facts.periods.of
  const [isInRange, isFactInRange] = [passageTest(index, range), factTest(index, range)]
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
