import { createHash } from 'node:crypto'
import type { EntityRow } from '../../graph/model.js'
import { normalizeName } from '../../graph/text/text.js'

const SHARDS = 1024
/** Initial slots of a table; a power of two. */
const SLOTS = 16

/** The imports that give an entity its name and type. */
interface Origin {
  name: number
  /** 0: none. */
  type: number
}

/**
 * Which imports give each entity its name and type, as answers show them (`SafeIndex.namedIn`): two rows are
 * enough, however many imports describe it. About 30 bytes per entity; keys are identified by 64 bits of
 * their SHA-256.
 */
export class EntityOrigins {
  readonly #shards = Array.from({ length: SHARDS }, () => new Shard())

  /** Takes rows of imports, the oldest first. */
  add({ importId, key, name, type }: EntityRow): void {
    const [shard, hash] = this.#place(key)
    const at = shard.slotOf(hash)
    if (!shard.isStated(at)) shard.setName(at, importId, normalizeName(name) !== key)
    if (type !== null) shard.setType(at, importId)
  }

  /** Null when there is no row of this entity. */
  of(key: string): Origin | null {
    const [shard, hash] = this.#place(key)
    return shard.find(hash)
  }

  #place(key: string): [Shard, bigint] {
    const digest = createHash('sha256').update(key).digest()
    // 0 marks a free slot.
    return [this.#shards[digest.readUInt16LE(8) % SHARDS] ?? new Shard(), digest.readBigUInt64LE() | 1n]
  }
}

/** Open addressing; kept small so that growing is always quick. */
class Shard {
  #keys = new BigUint64Array(SLOTS)
  /** Import × 2 + (1 if its name differs from the key). */
  #names = new Float64Array(SLOTS)
  #types = new Float64Array(SLOTS)
  #count = 0

  /** The slot of this key, added if missing. */
  slotOf(hash: bigint): number {
    if (this.#count * 4 >= this.#keys.length * 3) this.#grow()
    const at = this.#search(hash)
    if (this.#keys[at] === 0n) {
      this.#keys[at] = hash
      this.#count++
    }
    return at
  }

  isStated(at: number): boolean {
    return (this.#names[at] ?? 0) % 2 === 1
  }

  setName(at: number, importId: number, isStated: boolean): void {
    this.#names[at] = importId * 2 + Number(isStated)
  }

  /** The first type is kept. */
  setType(at: number, importId: number): void {
    if (this.#types[at] === 0) this.#types[at] = importId
  }

  find(hash: bigint): Origin | null {
    const at = this.#search(hash)
    if (this.#keys[at] === 0n) return null
    return { name: Math.floor((this.#names[at] ?? 0) / 2), type: this.#types[at] ?? 0 }
  }

  #search(hash: bigint): number {
    const mask = this.#keys.length - 1
    let at = Number(hash & 0xffff_ffffn) & mask
    while (this.#keys[at] !== 0n && this.#keys[at] !== hash) at = (at + 1) & mask
    return at
  }

  #grow(): void {
    const [keys, names, types] = [this.#keys, this.#names, this.#types]
    this.#keys = new BigUint64Array(keys.length * 2)
    this.#names = new Float64Array(keys.length * 2)
    this.#types = new Float64Array(keys.length * 2)
    for (const [from, hash] of keys.entries()) {
      if (hash === 0n) continue
      const at = this.#search(hash)
      this.#keys[at] = hash
      this.#names[at] = names[from] ?? 0
      this.#types[at] = types[from] ?? 0
    }
  }
}
