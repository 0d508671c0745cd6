import { createHash } from 'node:crypto'
import type { RelationRow } from '../../engine/graph/index.js'
import type { FullPassage } from './stores/types.js'

const TABLES = 1024
/** Initial slots of a table; a power of two. */
const SLOTS = 16

/**
 * Slots for items identified by 64 bits of their SHA-256, each with some numbers. The chance that one of a million items
 * is mistaken for another is 1 in 30 million.
 */
export class HashTables {
  readonly #tables: readonly HashTable[]

  /** @param numbers numbers per item */
  constructor(numbers: number) {
    this.#tables = Array.from({ length: TABLES }, () => new HashTable(numbers))
  }

  /** The table to which an item belongs, and its hash. */
  placeOf(item: string): [table: HashTable, hash: bigint] {
    const digest = createHash('sha256').update(item).digest()
    const table = this.#tables[digest.readUInt16LE(8) % TABLES] ?? new HashTable(0)
    // 0 marks a free slot.
    return [table, digest.readBigUInt64LE() || 1n]
  }
}

/** Open addressing; kept small so that growing is always quick. */
class HashTable {
  #hashes = new BigUint64Array(SLOTS)
  #numbers: Float64Array[]
  #size = 0

  constructor(numbers: number) {
    this.#numbers = Array.from({ length: numbers }, () => new Float64Array(SLOTS))
  }

  get size(): number {
    return this.#size
  }

  /** The slot of an item, added with zeros if it is missing. */
  add(hash: bigint): number {
    if (this.#size * 4 >= this.#hashes.length * 3) this.#grow()
    const at = this.#search(hash)
    if (this.#hashes[at] === 0n) this.#size++
    this.#hashes[at] = hash
    return at
  }

  /** The slot of an item; -1 if there is none. */
  find(hash: bigint): number {
    const at = this.#search(hash)
    return this.#hashes[at] === 0n ? -1 : at
  }

  number(which: number, at: number): number {
    return this.#numbers[which]?.[at] ?? 0
  }

  setNumber(which: number, at: number, value: number): void {
    const numbers = this.#numbers[which]
    if (numbers) numbers[at] = value
  }

  #search(hash: bigint): number {
    const mask = this.#hashes.length - 1
    let at = Number(hash & 0xffff_ffffn) & mask
    while (this.#hashes[at] !== 0n && this.#hashes[at] !== hash) at = (at + 1) & mask
    return at
  }

  #grow(): void {
    const [hashes, numbers] = [this.#hashes, this.#numbers]
    this.#hashes = new BigUint64Array(hashes.length * 2)
    this.#numbers = numbers.map(() => new Float64Array(hashes.length * 2))
    for (const [from, hash] of hashes.entries()) {
      if (hash === 0n) continue
      const at = this.#search(hash)
      this.#hashes[at] = hash
      for (const [which, values] of numbers.entries()) this.setNumber(which, at, values[from] ?? 0)
    }
  }
}

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

/** What makes two facts the same, for a `HashSet`: in another period it is another fact (ADR 55). */
export const factOf = ({ subjectKey, predicate, objectKey, validFrom, validTo }: RelationRow) => [
  ...['relation', subjectKey, predicate, objectKey],
  ...[validFrom ?? null, validTo ?? null],
]

/** What makes two passages the same. */
export const passageOf = ({ entityKey, title, text, source, seq, time }: FullPassage) => [
  ...['passage', entityKey, title, text, source],
  ...[seq, time],
]
