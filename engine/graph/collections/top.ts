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
  readonly #heap: Scored[] = []
  readonly #size: number

  constructor(size: number) {
    this.#size = size
  }

  offer(id: number, score: number): void {
    const worst = this.#heap[0]
    if (this.#heap.length < this.#size) this.#rise({ id, score })
    else if (worst && (score > worst.score || (score === worst.score && id <= worst.id)))
      this.#sink({ id, score })
  }

  /** Best first. */
  sorted(): Scored[] {
    return this.#heap.toSorted(byScore)
  }

  #rise(item: Scored): void {
    const heap = this.#heap
    let at = heap.length
    for (; at > 0; at = (at - 1) >> 1) {
      const above = heap[(at - 1) >> 1] as Scored
      if (byScore(item, above) <= 0) break
      heap[at] = above
    }
    heap[at] = item
  }

  /** Puts an item in the place of the worst. */
  #sink(item: Scored): void {
    const heap = this.#heap
    let at = 0
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && byScore(heap[child + 1] as Scored, heap[child] as Scored) > 0) child++
      const below = heap[child] as Scored
      if (byScore(below, item) <= 0) break
      heap[at] = below
      at = child
    }
    heap[at] = item
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
