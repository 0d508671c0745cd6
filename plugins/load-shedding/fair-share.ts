/** Then what was counted counts half. Milliseconds. */
const HALF_LIFE_MS = 1000

/** Nobody who asks so little asks too much. */
const FEW = 10

/** Who asks more than the others do. */
export class Shares {
  readonly #counts = new Map<string, number>()
  #total = 0
  #halvedAt = Number.NEGATIVE_INFINITY

  /** Counts a request. @returns whether its sender has made more than a few, and half more than the mean of all senders */
  count(sender: string, now: number): boolean {
    if (now - this.#halvedAt > HALF_LIFE_MS) this.#halve(now)
    const count = (this.#counts.get(sender) ?? 0) + 1
    this.#counts.set(sender, count)
    this.#total++
    return count > Math.max(FEW, (1.5 * this.#total) / this.#counts.size)
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
