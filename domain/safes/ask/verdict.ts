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
  /** How far a sentence is ahead of those of other passages, and its length in 20 words, at most 1.5. Null for a fact. */
  sentence: { ahead: number; length: number } | null
}

/**
 * Weights of logistic regressions on questions about public notes (`bench -- leads --half look`).
 * `ANSWER`: whether anything answers, by the score of the lead, the share of the question found close together and in a
 * title, the share without any match in the Safe, and the number of matching words.
 * `LEAD`: whether this sentence answers, also by its margin over other passages and its number of words.
 */
const ANSWER = { bias: -5.7, score: 2.16, near: 1.5, titled: 1.55, unknown: -1.64, words: 2.88 }
const LEAD = { bias: -4.74, score: 2.49, unknown: -2.03, words: 2.21, ahead: 1.79, length: -1.08 }

/** The minimum confidence of an answering fact, of an answering sentence, and of a near answer. */
const LEAST = { fact: 0.75, sentence: 0.65, possible: 0.48 }
/** The minimum probability for a sentence to count as an answer. */
const SURE = 0.37

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
