import type { Scores } from './scores.js'

/** What is known of a set in the end; shares are percents. */
export interface Measured {
  name: string
  passages: number
  questions: number
  /** Of processor time, to open the index. */
  buildSeconds: number
  /** The first ten facts and passages, of which the passages count. */
  engine: Scores
  /** The passages that an answer of the default budget still has. */
  sent: Scores
  bm25: Scores
  /** Null where the set has no phrases. */
  otherWords: Scores | null
  /** Null where no gate asks for them. */
  typos: Scores | null
  /** Questions of which the answer stands in the answer's text; null where the set knows no answers. */
  answered: number | null
  /** Milliseconds of processor time a question. */
  milliseconds: { p50: number; p99: number }
}
