import { createHash } from 'node:crypto'

const SHARDS = 1024
/** Initial slots of a table; a power of two. */
const SLOTS = 16

/**
 * A set that stores 64 bits of each item's SHA-256 instead of its text: at most 27 bytes each. The chance
 * that one of a million items is mistaken for another is 1 in 30 million.
 */
export class HashSet {
  readonly #shards = Array.from({ length: SHARDS }, () => new HashTable())

  /** Adds an item. Returns false if it was already present. */
  add(...parts: (string | number | null)[]): boolean {
    const digest = createHash('sha256').update(JSON.stringify(parts)).digest()
    const shard = this.#shards[digest.readUInt16LE(8) % SHARDS]
    return shard?.add(digest.readBigUInt64LE()) ?? true
  }
}

/** Open addressing; kept small so that growing is always quick. 0 marks a free slot. */
class HashTable {
  #slots = new BigUint64Array(SLOTS)
  #count = 0

  add(hash: bigint): boolean {
    if (this.#count * 4 > this.#slots.length * 3) this.#grow()
    if (!this.#put(hash)) return false
    this.#count++
    return true
  }

  #put(hash: bigint): boolean {
    const mask = this.#slots.length - 1
    for (let at = Number(hash & 0xffff_ffffn) & mask; ; at = (at + 1) & mask) {
      if (this.#slots[at] === hash) return false
      if (this.#slots[at] !== 0n) continue
      this.#slots[at] = hash
      return true
    }
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new BigUint64Array(old.length * 2)
    for (const hash of old) if (hash !== 0n) this.#put(hash)
  }
}
