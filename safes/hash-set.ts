import { createHash } from 'node:crypto'

const SHARDS = 1024
/** Slots of a table at first; a power of two. */
const SLOTS = 16

/**
 * What was said before, as 64 bits of its SHA-256: at most 27 bytes each, where the texts would take hundreds. That
 * one of a million would be taken for another has a chance of 1 in 30 million.
 */
export class HashSet {
  readonly #shards = Array.from({ length: SHARDS }, () => new HashTable())

  /** False when it was there already. */
  add(...parts: (string | number | null)[]): boolean {
    const digest = createHash('sha256').update(JSON.stringify(parts)).digest()
    const shard = this.#shards[digest.readUInt16LE(8) % SHARDS]
    return shard?.add(digest.readBigUInt64LE()) ?? true
  }
}

/** Open addressing; small, so that growing never takes long. 0 marks a free slot. */
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
