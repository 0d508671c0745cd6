/** Maximum titles stored to number repeated ones. */
const MAX = 100_000

/** Names the documents of one file, so that documents with the same title become two entities: `List`, `List (2)`. */
export class PartTitles {
  readonly #counts = new Map<string, number>()

  next(title: string): string {
    const name = title.replace(/\s+/g, ' ').trim().slice(0, 200) || 'Untitled note'
    const key = name.toLowerCase()
    const count = (this.#counts.get(key) ?? 0) + 1
    if (count > 1 || this.#counts.size < MAX) this.#counts.set(key, count)
    return count === 1 ? name : `${name} (${count})`
  }
}
