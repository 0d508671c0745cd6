import type { Answer } from './answer.js'

/**
 * A best passage that says less of the question than this answers it so seldom that nothing is better than it (ADR 49).
 */
const LEAST_COVERAGE = 0.25

/** Whether an answer is one. `coverage`: how much of the question its best passage says. */
export function answersQuestion({ total, summary }: Answer, coverage: number | null): boolean {
  if (total === 0) return summary !== undefined
  return summary !== undefined || coverage === null || coverage >= LEAST_COVERAGE
}
