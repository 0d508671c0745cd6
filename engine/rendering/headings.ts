/** The id of a heading, as in links to it: `#The-first heading!` and `#the-first-heading` lead to the same. */
export const headingId = (text: string): string =>
  `h-${text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_\s-]/gu, '')
    .trim()
    .replace(/[\s-]+/g, '-')
    .slice(0, 200)}`

/** Gives each heading a unique id. */
export class HeadingIds {
  readonly #given = new Map<string, number>()

  /** The second heading with the same text gets `-1`, as on GitHub. */
  next(text: string): string {
    const id = headingId(text)
    const before = this.#given.get(id) ?? 0
    this.#given.set(id, before + 1)
    return before === 0 ? id : this.next(`${text}-${before}`)
  }
}

/**
 * The levels of headings on the page: no level is skipped, headings of one level below the same heading are alike, and all
 * are below the page's own heading.
 */
export class HeadingLevels {
  readonly #below: number
  /** The headings around the next one: their levels in the text, from the top. */
  readonly #open: number[] = []

  /** @param below 1 if the page has a heading of its own, 0 if the first heading of the text is that of the page */
  constructor(below: 0 | 1) {
    this.#below = below
  }

  next(level: number): number {
    while ((this.#open.at(-1) ?? 0) >= level) this.#open.pop()
    this.#open.push(level)
    return Math.min(this.#below + this.#open.length, 6)
  }
}
