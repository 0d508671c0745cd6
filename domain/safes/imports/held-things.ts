import type { NewEntity } from '../stores/types.js'

/** Maximum characters of keys and names held before things are written, regardless of their number. */
const MAX_CHARACTERS = 1_000_000

/**
 * Things waiting to be written, each once, regardless of how many records mention it. Written in the order of
 * their keys, many together change few pages of the database; one transaction at a time would touch the whole table.
 */
export class HeldThings {
  readonly #most: number
  #things = new Map<string, NewEntity>()
  #characters = 0

  /** @param most maximum things held */
  constructor(most: number) {
    this.#most = most
  }

  get size(): number {
    return this.#things.size
  }

  get isFull(): boolean {
    return this.size >= this.#most || this.#characters > MAX_CHARACTERS
  }

  put(entity: NewEntity): void {
    const known = this.#things.get(entity.key)
    if (!known) {
      this.#add(entity)
      return
    }
    if (entity.named && !known.named) Object.assign(known, { name: copyOf(entity.name), named: true })
    known.type = entity.type === null ? known.type : copyOf(entity.type)
  }

  /** Returns all of them by key, and clears the list. */
  take(): NewEntity[] {
    const things = [...this.#things.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
    this.#things.clear()
    this.#characters = 0
    return things
  }

  /** As copies: a kept substring would keep the whole text in memory. */
  #add({ key, name, type, named }: NewEntity): void {
    const kept = copyOf(key)
    const own = name === key ? kept : copyOf(name)
    this.#things.set(kept, { key: kept, name: own, type: type === null ? null : copyOf(type), named })
    this.#characters += key.length + name.length
  }
}

/** Maximum bytes of a copy that needs no extra buffer. */
const SHORT = 3_072
const short = Buffer.allocUnsafeSlow(SHORT)

/** A separate copy: a kept substring of a file would keep the whole file in memory. */
function copyOf(text: string): string {
  // A character takes three bytes at most.
  if (text.length * 3 > SHORT) return Buffer.from(text).toString()
  return short.toString('utf8', 0, short.write(text))
}
