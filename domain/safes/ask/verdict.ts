import type { Evidence } from '../../../engine/graph/index.js'

/** Whether an answer answers its question: certainly, perhaps, or not. */
export type Verdict = 'answered' | 'possible' | 'none'

/** How well a lead answers. */
export interface Held {
  /** 0 … about 1.4, of the sentence, the cells or the fact. */
  score: number
  /** For a fact: the shares of the question that it has, and that its two things have; else 0. */
  near: number
  titled: number
  /** ln(1 + sentences that compete with it), its length in 20 words, at most 1.5, and 1 if it has what is asked for. Null for a fact. */
  sentence: { rivals: number; length: number; expected: number } | null
}

/**
 * Weights of logistic regressions on questions about public notes (`bench -- leads --half look`).
 * `ANSWER`: whether anything answers, by the score of the lead, the share of the question found close together and in a
 * title, the share without any match in the Safe, and the number of matching words.
 * `LEAD`: whether this sentence answers, also by what `sentence` of `Held` describes.
 */
const ANSWER = { bias: -7.33, score: 3.3, near: 1.58, titled: 1.3, unknown: -1.89, words: 3.38 }
const LEAD = { bias: -2.8, score: 2.3, unknown: -1.6, words: 1.4, rivals: -1.4, length: -0.7, expected: 0.6 }

/** The minimum confidence of an answering fact, of an answering sentence, and of a near answer. */
const LEAST = { fact: 0.75, sentence: 0.6, possible: 0.38 }
/** The minimum probability for a sentence to count as an answer. */
const SURE = 0.36

/** The probability that an answer with this evidence and this lead (see `bestLead`) answers the question. */
export function confidenceOf({ asked, unknown, ...held }: Evidence, lead: Held): number {
  const [near, titled] = [Math.max(held.near, lead.near), Math.max(held.titled, lead.titled)]
  const words = Math.log1p(asked.length)
  const confidence = probability(ANSWER, { score: lead.score, near, titled, unknown, words, bias: 1 })
  return Math.round(100 * confidence) / 100
}

/** The verdict for a confidence; a sentence must also be likely to answer by itself. */
export function verdictOf(confidence: number, { asked, unknown }: Evidence, lead: Held): Verdict {
  if (confidence < LEAST.possible) return 'none'
  const { score, sentence } = lead
  const values = { score, unknown, words: Math.log1p(asked.length), bias: 1 }
  const isSure = sentence
    ? confidence >= LEAST.sentence && probability(LEAD, { ...values, ...sentence }) >= SURE
    : confidence >= LEAST.fact
  return isSure ? 'answered' : 'possible'
}

function probability<Key extends string>(weights: Record<Key, number>, values: Record<Key, number>): number {
  let sum = 0
  for (const key in weights) sum += weights[key] * values[key]
  return 1 / (1 + Math.exp(-sum))
}
