import type { Evidence } from '../../../engine/graph/index.js'

/** Whether an answer answers its question: certainly, perhaps, or not. */
export type Verdict = 'answered' | 'possible' | 'none'

/**
 * Weights of a logistic regression on questions about public notes (`bench -- leads --half look`): how well the lead
 * answers, how much of the question stands close together and in a title, how much the Safe has no words for, and how
 * many words there are to agree on.
 */
const WEIGHTS = { score: 2.16, near: 1.5, titled: 1.55, unknown: -1.64, words: 2.88 }
const BIAS = -5.7

/** The confidence from which there is an answer, and from which something is close to one. */
const ANSWERED = 0.75
const POSSIBLE = 0.48

/** The probability that an answer with this evidence and this lead (see `bestLead`) answers the question. */
export function confidenceOf(
  { asked, unknown, ...held }: Evidence,
  lead: Record<'score' | 'near' | 'titled', number>,
): number {
  const [near, titled] = [Math.max(held.near, lead.near), Math.max(held.titled, lead.titled)]
  const words = Math.log1p(asked.length)
  const sum =
    BIAS +
    WEIGHTS.score * lead.score +
    WEIGHTS.near * near +
    WEIGHTS.titled * titled +
    WEIGHTS.unknown * unknown +
    WEIGHTS.words * words
  return Math.round(100 / (1 + Math.exp(-sum))) / 100
}

/** The verdict for a confidence. */
export const verdictOf = (confidence: number): Verdict =>
  confidence >= ANSWERED ? 'answered' : confidence >= POSSIBLE ? 'possible' : 'none'
