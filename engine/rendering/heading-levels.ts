/** The levels at which headings are shown: none skips a level, and all are below the heading of the page. */
export class HeadingLevels {
  readonly #below: number
  #last: number

  /** @param below 1 if the page has a heading of its own, 0 if the first heading of the text is that of the page */
  constructor(below: 0 | 1) {
    this.#below = below
    this.#last = below
  }

  next(level: number): number {
    this.#last = Math.min(level + this.#below, this.#last + 1, 6)
    return this.#last
  }
}
