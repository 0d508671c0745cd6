import type { MeasuredAnswer } from './answer.js'

/**
 * A best passage that says less of the question than this answers it so seldom that nothing is better than it (ADR 49). Of a
 * question about what the Safe has no words for, it has to say more.
 */
const LEAST_COVERAGE = 0.2
const PER_UNKNOWN = 0.2

/** Whether an answer is one. */
export function answersQuestion({ answer: { total, summary }, coverage, unknown }: MeasuredAnswer): boolean {
  if (total === 0) return summary !== undefined
  return summary !== undefined || coverage === null || coverage >= LEAST_COVERAGE + PER_UNKNOWN * unknown
}
