/** Counts are halved once per interval, so that old requests lose weight. Milliseconds. */
const HALF_LIFE_MS = 1000

/** Senders at or below this count are never over their share. */
const MIN_COUNT = 10

/** Finds the senders that make more requests than the others. */
export class FairShare {
  readonly #counts = new Map<string, number>()
  #total = 0
  #halvedAt = Number.NEGATIVE_INFINITY

  /** Records a request. @returns whether its sender now exceeds 1.5 times the mean of all senders */
  record(sender: string, now: number): boolean {
    if (now - this.#halvedAt > HALF_LIFE_MS) this.#halve(now)
    const count = (this.#counts.get(sender) ?? 0) + 1
    this.#counts.set(sender, count)
    this.#total++
    return count > Math.max(MIN_COUNT, (1.5 * this.#total) / this.#counts.size)
  }

  #halve(now: number): void {
    this.#halvedAt = now
    this.#total = 0
    for (const [sender, count] of this.#counts) {
      const half = Math.floor(count / 2)
      this.#total += half
      if (half === 0) this.#counts.delete(sender)
      else this.#counts.set(sender, half)
    }
  }
}
