import { Uint32List } from './uint32-list.js'

/** Distinct strings numbered from 0 in order of arrival, kept as UTF-8 in one piece of memory. */
export class StringTable {
  #bytes = Buffer.allocUnsafe(4096)
  #ends = new Uint32List()
  #hashes = new Uint32List()
  /** Open addressing; 0 = free, else a number + 1. */
  #slots = new Uint32Array(1024)

  get size(): number {
    return this.#ends.length
  }

  get byteLength(): number {
    return this.#bytes.length + this.#slots.byteLength + this.size * 8
  }

  /** The number of the string, which is added if it is new. */
  add(text: string): number {
    const hash = hashOf(text)
    const slot = this.#slotOf(text, hash)
    const known = this.#slots[slot] ?? 0
    if (known > 0) return known - 1
    const number = this.size
    this.#slots[slot] = number + 1
    this.#append(text, hash)
    if (this.size * 2 > this.#slots.length) this.#rehash()
    return number
  }

  /** The number of the string, or -1. */
  find(text: string): number {
    return (this.#slots[this.#slotOf(text, hashOf(text))] ?? 0) - 1
  }

  at(number: number): string {
    const start = number === 0 ? 0 : this.#ends.at(number - 1)
    return this.#bytes.toString('utf8', start, this.#ends.at(number))
  }

  #slotOf(text: string, hash: number): number {
    const mask = this.#slots.length - 1
    let slot = hash & mask
    for (let known = this.#slots[slot] ?? 0; known > 0; known = this.#slots[slot] ?? 0) {
      if (this.#hashes.at(known - 1) === hash && this.at(known - 1) === text) return slot
      slot = (slot + 1) & mask
    }
    return slot
  }

  #append(text: string, hash: number): void {
    const start = this.size === 0 ? 0 : this.#ends.at(this.size - 1)
    const room = start + text.length * 3
    if (room > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(room, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, start)
      this.#bytes = larger
    }
    this.#ends.push(start + this.#bytes.write(text, start, 'utf8'))
    this.#hashes.push(hash)
  }

  #rehash(): void {
    const slots = new Uint32Array(this.#slots.length * 2)
    const mask = slots.length - 1
    for (let number = 0; number < this.size; number++) {
      let slot = this.#hashes.at(number) & mask
      while ((slots[slot] ?? 0) > 0) slot = (slot + 1) & mask
      slots[slot] = number + 1
    }
    this.#slots = slots
  }
}

/** FNV-1a over UTF-16 units, mixed once more because tables use the low bits. */
export function hashOf(text: string, seed = 0x811c9dc5): number {
  let hash = seed
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}
