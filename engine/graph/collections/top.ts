/** A number with a score. */
export interface Scored {
  id: number
  score: number
}

/** Higher scores first; ties in order of number, so that answers are deterministic. */
export function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || a.id - b.id
}

/** Keeps the best `size` items offered (a heap with the worst on top). */
export class Top {
  readonly #ids: number[] = []
  readonly #scores: number[] = []
  readonly #size: number

  constructor(size: number) {
    this.#size = size
  }

  offer(id: number, score: number): void {
    const [ids, scores] = [this.#ids, this.#scores]
    if (ids.length < this.#size) {
      ids.push(id)
      scores.push(score)
      this.#rise(ids.length - 1)
      return
    }
    const worst = scores[0]
    if (worst === undefined || score < worst || (score === worst && id > (ids[0] ?? 0))) return
    ids[0] = id
    scores[0] = score
    this.#sink()
  }

  /** Best first. */
  sorted(): Scored[] {
    return this.#ids.map((id, at) => ({ id, score: this.#scores[at] ?? 0 })).sort(byScore)
  }

  #rise(start: number): void {
    for (let at = start; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!this.#isWorse(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #sink(): void {
    const { length } = this.#ids
    for (let at = 0; ; ) {
      const left = 2 * at + 1
      if (left >= length) return
      const child = left + 1 < length && this.#isWorse(left + 1, left) ? left + 1 : left
      if (!this.#isWorse(child, at)) return
      this.#swap(child, at)
      at = child
    }
  }

  #isWorse(one: number, other: number): boolean {
    const difference = (this.#scores[one] ?? 0) - (this.#scores[other] ?? 0)
    return difference < 0 || (difference === 0 && (this.#ids[one] ?? 0) > (this.#ids[other] ?? 0))
  }

  #swap(one: number, other: number): void {
    const [ids, scores] = [this.#ids, this.#scores]
    const [id, score] = [ids[one] ?? 0, scores[one] ?? 0]
    ids[one] = ids[other] ?? 0
    scores[one] = scores[other] ?? 0
    ids[other] = id
    scores[other] = score
  }
}

/** The best `count` of the numbers that have a sum, by `scoreOf`; the sums are zeros afterwards. */
export function bestSums(
  sums: Float32Array,
  touched: readonly number[],
  count: number,
  scoreOf: (sum: number, id: number) => number,
): Scored[] {
  const top = new Top(count)
  for (const id of touched) {
    top.offer(id, scoreOf(sums[id] ?? 0, id))
    sums[id] = 0
  }
  return top.sorted()
}
