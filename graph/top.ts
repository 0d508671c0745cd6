/** A numbered thing and how well it does. */
export interface Scored {
  id: number
  score: number
}

/** Better first; equal scores in order of number, so that answers do not depend on chance. */
export function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || a.id - b.id
}

/** Keeps the best `size` of what it is offered (a heap with the worst on top). */
export class Top {
  readonly #heap: Scored[] = []
  readonly #size: number

  constructor(size: number) {
    this.#size = size
  }

  offer(id: number, score: number): void {
    const heap = this.#heap
    if (heap.length < this.#size) {
      heap.push({ id, score })
      this.#rise(heap.length - 1)
      return
    }
    const worst = heap[0]
    if (worst === undefined || score < worst.score || (score === worst.score && id > worst.id)) return
    heap[0] = { id, score }
    this.#sink(0)
  }

  /** Best first. */
  sorted(): Scored[] {
    return this.#heap.toSorted(byScore)
  }

  #rise(start: number): void {
    for (let at = start; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!this.#swapIfWorse(at, parent)) return
      at = parent
    }
  }

  #sink(start: number): void {
    for (let at = start; ; ) {
      const left = 2 * at + 1
      const right = left + 1
      const child = right < this.#heap.length && this.#worse(right, left) ? right : left
      if (child >= this.#heap.length || !this.#swapIfWorse(child, at)) return
      at = child
    }
  }

  #worse(a: number, b: number): boolean {
    const one = this.#heap[a]
    const other = this.#heap[b]
    return one !== undefined && other !== undefined && byScore(one, other) > 0
  }

  /** Swaps when `lower` is worse than `upper` and so belongs above it. */
  #swapIfWorse(lower: number, upper: number): boolean {
    const one = this.#heap[lower]
    const other = this.#heap[upper]
    if (one === undefined || other === undefined || !this.#worse(lower, upper)) return false
    this.#heap[lower] = other
    this.#heap[upper] = one
    return true
  }
}
