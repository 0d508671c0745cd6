/** The numbers of texts that were asked for lately: much faster than the tables that number them. */
export class RecentNumbers {
  readonly #numberOf: (text: string) => number
  readonly #most: number
  readonly #recent = new Map<string, number>()

  /** @param most texts that are remembered */
  constructor(numberOf: (text: string) => number, most: number) {
    this.#numberOf = numberOf
    this.#most = most
  }

  of(text: string): number {
    const known = this.#recent.get(text)
    if (known !== undefined) return known
    const number = this.#numberOf(text)
    if (this.#recent.size >= this.#most) this.#recent.clear()
    this.#recent.set(text, number)
    return number
  }
}
