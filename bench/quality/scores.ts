/** Depths at which the lists are evaluated. */
const DEPTHS = [1, 2, 5, 10] as const

/** In percent: the mean share of the needed passages among the first 1, 2, 5, 10; and the mean of 1 ÷ first rank. */
export interface Scores {
  recall: Record<(typeof DEPTHS)[number], number>
  mrr: number
}

/** The final figures of a set; shares are percents. */
export interface Measured {
  name: string
  passages: number
  questions: number
  /** The passages among the first ten facts and passages. */
  engine: Scores
  /** The passages in an answer of the default budget. */
  sent: Scores
  bm25: Scores
  /** Null if the set has no phrases. */
  otherWords: Scores | null
  /** Null if no gate needs them. */
  typos: Scores | null
  /** Share of questions whose answer is in the answer's text; null if the set has no known answers. */
  answered: number | null
  /** Milliseconds of processor time of each question. */
  milliseconds: number[]
}

/** Collects the results for each question. */
export class Tally {
  readonly #recall = new Map<number, number>()
  #reciprocal = 0
  #questions = 0

  /** `found` are positions, best first; one of each of `needs` is needed. */
  add(found: readonly number[], needs: readonly ReadonlySet<number>[]): void {
    const ranks = needs.map(need => found.findIndex(position => need.has(position)))
    for (const depth of DEPTHS) {
      const share = ranks.filter(rank => rank >= 0 && rank < depth).length / needs.length
      this.#recall.set(depth, (this.#recall.get(depth) ?? 0) + share)
    }
    const reached = ranks.filter(rank => rank >= 0)
    if (reached.length > 0) this.#reciprocal += 1 / (1 + Math.min(...reached))
    this.#questions++
  }

  scores(): Scores {
    const percent = (sum = 0) => (100 * sum) / Math.max(1, this.#questions)
    const at = (depth: number) => percent(this.#recall.get(depth))
    return { recall: { 1: at(1), 2: at(2), 5: at(5), 10: at(10) }, mrr: percent(this.#reciprocal) }
  }
}
