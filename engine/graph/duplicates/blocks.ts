import { hashOf, ownHashKey } from '../collections/hash.js'
import type { Pause } from '../collections/pause.js'

/** Bits for the number of a name; the others are its hash, so that both fit into a double exactly. */
const NAME_BITS = 23
const NAMES = 2 ** NAME_BITS
const HASHES = 2 ** (53 - NAME_BITS)

/** Names of one block that are compared with each other. Larger blocks say little about their names. */
const MAX_IN_BLOCK = 24

/** Names that have something in common: blocking, as in record linkage (Fellegi and Sunter, 1969). */
export class Blocks {
  #entries = new Float64Array(1024)
  #length = 0

  /** Names from 8,388,608 on are left out. */
  add(key: string, name: number): void {
    if (name >= NAMES) return
    if (this.#length === this.#entries.length) {
      const larger = new Float64Array(this.#length * 2)
      larger.set(this.#entries)
      this.#entries = larger
    }
    this.#entries[this.#length++] = (hashOf(key, ownHashKey) % HASHES) * NAMES + name
  }

  /** Groups of names with a common key, of at most `most` pairs in all. Sorts, which takes n log n. */
  async *groups(most: number, pause: Pause): AsyncGenerator<number[]> {
    const entries = this.#entries.subarray(0, this.#length).sort()
    let left = most
    for (let start = 0; start < entries.length && left > 0; ) {
      const limit = Math.floor((entries[start] ?? 0) / NAMES + 1) * NAMES
      let end = start + 1
      while (end < entries.length && (entries[end] ?? 0) < limit) end++
      if (end - start > 1) {
        const block = entries.subarray(start, Math.min(end, start + MAX_IN_BLOCK))
        const names = [...new Set(block)].map(entry => entry % NAMES)
        left -= (names.length * (names.length - 1)) / 2
        yield names
      }
      start = end
      if (pause.due()) await pause.rest()
    }
  }
}
