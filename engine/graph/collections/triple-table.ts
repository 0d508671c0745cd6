import { hashOfThree } from './hash.js'
import { Uint32List } from './uint32-list.js'

/**
 * Distinct triples of 32-bit numbers, numbered from 0 in order of arrival. The same triple in another `variant` is
 * another one; variants take no memory while all are 0.
 */
export class TripleTable {
  readonly first = new Uint32List()
  readonly second = new Uint32List()
  readonly third = new Uint32List()
  readonly variant = new Uint32List()
  /** Open addressing; 0 = free, otherwise the number + 1. */
  #slots = new Uint32Array(1024)

  get size(): number {
    return this.first.length
  }

  /** Bytes of memory. */
  get byteLength(): number {
    return this.#slots.byteLength + 3 * this.first.byteLength + this.variant.byteLength
  }

  /** The number of the triple, or -1. */
  find(first: number, second: number, third: number): number {
    return (this.#slots[this.#slotOf(first, second, third, 0)] ?? 0) - 1
  }

  /** The number of the triple, added if it is new. */
  add(first: number, second: number, third: number, variant = 0): number {
    const slot = this.#slotOf(first, second, third, variant)
    const known = this.#slots[slot] ?? 0
    if (known > 0) return known - 1
    this.first.push(first)
    this.second.push(second)
    this.third.push(third)
    if (variant > 0) this.variant.put(this.size - 1, variant)
    this.#slots[slot] = this.size
    if (this.size * 2 > this.#slots.length) this.#rehash()
    return this.size - 1
  }

  #slotOf(first: number, second: number, third: number, variant: number): number {
    const mask = this.#slots.length - 1
    let slot = hashOf(first, second, third, variant) & mask
    for (let known = this.#slots[slot] ?? 0; known > 0; known = this.#slots[slot] ?? 0) {
      const at = known - 1
      const isSame =
        this.first.at(at) === first && this.second.at(at) === second && this.third.at(at) === third
      if (isSame && this.variant.at(at) === variant) break
      slot = (slot + 1) & mask
    }
    return slot
  }

  #rehash(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2)
    const mask = this.#slots.length - 1
    for (let at = 0; at < this.size; at++) {
      const hash = hashOf(this.first.at(at), this.second.at(at), this.third.at(at), this.variant.at(at))
      let slot = hash & mask
      while ((this.#slots[slot] ?? 0) > 0) slot = (slot + 1) & mask
      this.#slots[slot] = at + 1
    }
  }
}

function hashOf(first: number, second: number, third: number, variant: number): number {
  const hash = hashOfThree(first, second, third)
  return variant === 0 ? hash : hashOfThree(hash, variant, 0)
}
