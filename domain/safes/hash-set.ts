import { HashTables } from './hash-tables.js'

/** A set that stores hashes of its items instead of their texts: at most 27 bytes each. */
export class HashSet {
  readonly #tables = new HashTables(0)

  /** Adds an item. Returns false if it was already present. */
  add(...parts: (string | number | null)[]): boolean {
    const [table, hash] = this.#tables.placeOf(JSON.stringify(parts))
    const { size } = table
    table.add(hash)
    return table.size > size
  }
}
