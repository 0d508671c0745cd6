import { type HashKey, hashOf, ownHashKey } from './hash.js'
import { firstPlace } from './search.js'
import { Uint32List } from './uint32-list.js'

/** Distinct strings numbered from 0 in order of arrival: one UTF-8 buffer with a hash table. */
export interface Strings {
  size: number
  bytes: Buffer
  /** Where each string ends in `bytes`. */
  ends: Uint32Array
  /** Open addressing; 0 = free, otherwise the number + 1. */
  slots: Uint32Array
  /** The key of the hashes, a new one for each collection. */
  hashKey: HashKey
}

/** The string with this number; an empty one if there is none. */
export function stringAt(strings: Strings, number: number): string {
  return strings.bytes.toString('utf8', startOf(strings, number), strings.ends[number] ?? 0)
}

/** Bytes of a string. */
export function lengthOf(strings: Strings, number: number): number {
  return (strings.ends[number] ?? 0) - startOf(strings, number)
}

/** The number of the string, or -1. */
export function findString(strings: Strings, text: string): number {
  const { slots, hashKey } = strings
  for (
    let slot = slotOf(hashOf(text, hashKey), slots.length);
    ;
    slot = slot + 1 === slots.length ? 0 : slot + 1
  ) {
    const number = (slots[slot] ?? 0) - 1
    if (number < 0 || isEqual(strings.bytes, startOf(strings, number), strings.ends[number] ?? 0, text)) {
      return number
    }
  }
}

/** Where a string begins in `bytes`. */
export function startOf({ ends }: Strings, number: number): number {
  return number === 0 ? 0 : (ends[number - 1] ?? 0)
}

function slotOf(hash: number, slots: number): number {
  return Math.floor((hash / 0x1_0000_0000) * slots)
}

/** Compares without decoding while the text is ASCII, as most names and words are. */
function isEqual(bytes: Buffer, start: number, end: number, text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > 0x7f) return bytes.toString('utf8', start, end) === text
    if (start + at >= end || bytes[start + at] !== code) return false
  }
  return end - start === text.length
}

/** Strings with further ones behind them. */
export class MoreStrings {
  readonly #before: Strings
  readonly #added = new StringsBuilder()

  constructor(before: Strings) {
    this.#before = before
  }

  get size(): number {
    return this.#before.size + this.#added.size
  }

  /** The number of the string, added if it is new. */
  add(text: string): number {
    const known = findString(this.#before, text)
    return known >= 0 ? known : this.#before.size + this.#added.add(text)
  }

  at(number: number): string {
    const { size } = this.#before
    return number < size ? stringAt(this.#before, number) : this.#added.at(number - size)
  }

  build(): Strings {
    const { bytes, ends, slots, hashKey } = this.#before
    if (this.#added.size === 0) return this.#before
    const added = this.#added.build()
    const all = {
      size: this.size,
      bytes: Buffer.concat([bytes, added.bytes]),
      ends: new Uint32Array(this.size),
      // Too few free ones would make look-ups slow.
      slots:
        this.size * 1.15 < slots.length ? slots.slice() : new Uint32Array(Math.ceil(this.size * 1.3) + 1),
      hashKey,
    }
    all.ends.set(ends)
    all.ends.set(
      added.ends.map(end => bytes.length + end),
      ends.length,
    )
    const first = all.slots.length === slots.length ? ends.length : 0
    for (let number = first; number < this.size; number++)
      fillSlot(all.slots, hashOf(stringAt(all, number), hashKey), number)
    return all
  }
}

/** Puts a number into the first free slot for a hash. */
function fillSlot(slots: Uint32Array, hash: number, number: number): void {
  let slot = slotOf(hash, slots.length)
  while ((slots[slot] ?? 0) > 0) slot = slot + 1 === slots.length ? 0 : slot + 1
  slots[slot] = number + 1
}

/** Collects strings. */
export class StringsBuilder {
  #bytes = Buffer.allocUnsafe(4096)
  readonly #ends = new Uint32List()
  readonly #hashes = new Uint32List()
  /** At least twice as many as there are strings. */
  #slots = new Uint32Array(1024)

  get size(): number {
    return this.#ends.length
  }

  /** Bytes of memory. */
  get byteLength(): number {
    return this.#bytes.byteLength + this.#slots.byteLength + 2 * this.#ends.byteLength
  }

  /** The number of the string, added if it is new. */
  add(text: string): number {
    const hash = hashOf(text, ownHashKey)
    const slot = this.#slotOf(text, hash)
    const known = this.#slots[slot] ?? 0
    if (known > 0) return known - 1
    this.#slots[slot] = this.size + 1
    this.#append(text, hash)
    if (this.size * 2 > this.#slots.length) this.#slots = this.#slotsOf(this.#slots.length * 2)
    return this.size - 1
  }

  /** The number of the string, or -1. */
  find(text: string): number {
    return (this.#slots[this.#slotOf(text, hashOf(text, ownHashKey))] ?? 0) - 1
  }

  at(number: number): string {
    return this.#bytes.toString('utf8', this.#start(number), this.#ends.at(number))
  }

  /** Returns all strings without spare capacity. */
  build(): Strings {
    return {
      size: this.size,
      bytes: Buffer.from(this.#bytes.subarray(0, this.#start(this.size))),
      ends: this.#ends.toArray(),
      slots: this.#slotsOf(Math.ceil(this.size * 1.3) + 1),
      hashKey: ownHashKey.slice(),
    }
  }

  #start(number: number): number {
    return number === 0 ? 0 : this.#ends.at(number - 1)
  }

  #slotOf(text: string, hash: number): number {
    const slots = this.#slots
    for (let slot = slotOf(hash, slots.length); ; slot = slot + 1 === slots.length ? 0 : slot + 1) {
      const number = (slots[slot] ?? 0) - 1
      if (number < 0) return slot
      if (this.#hashes.at(number) !== hash) continue
      if (isEqual(this.#bytes, this.#start(number), this.#ends.at(number), text)) return slot
    }
  }

  #append(text: string, hash: number): void {
    const start = this.#start(this.size)
    const room = start + text.length * 3
    if (room > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(room, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, start)
      this.#bytes = larger
    }
    this.#ends.push(start + this.#bytes.write(text, start, 'utf8'))
    this.#hashes.push(hash)
  }

  #slotsOf(size: number): Uint32Array<ArrayBuffer> {
    const slots = new Uint32Array(size)
    for (let number = 0; number < this.size; number++) fillSlot(slots, this.#hashes.at(number), number)
    return slots
  }
}

/**
 * The numbers of the first `size` strings in the order of their UTF-8 bytes, which is also the order of the
 * databases. Rows come sorted from each import, so that there are a few sorted runs to merge.
 */
export function orderOf(strings: Strings, size: number): Uint32Array<ArrayBuffer> {
  const heads = new Uint32Array(size)
  for (let at = 0; at < size; at++) heads[at] = headOf(strings, at)
  const order = Array.from({ length: size }, (_, at) => at)
  order.sort((a, b) => (heads[a] ?? 0) - (heads[b] ?? 0) || compareStrings(strings, a, b))
  return Uint32Array.from(order)
}

/** The first four bytes as a number: most comparisons need no more. */
function headOf(strings: Strings, number: number): number {
  const start = startOf(strings, number)
  let head = 0
  for (let at = 0; at < 4; at++)
    head = head * 256 + (at < lengthOf(strings, number) ? (strings.bytes[start + at] ?? 0) : 0)
  return head
}

function compareStrings(strings: Strings, a: number, b: number): number {
  const { bytes, ends } = strings
  return bytes.compare(bytes, startOf(strings, b), ends[b] ?? 0, startOf(strings, a), ends[a] ?? 0)
}

/** The first place in `order` whose string is not before these bytes; `after`: the first one behind them. */
export function placeOf(strings: Strings, order: Uint32Array, text: string, after = false): number {
  const wanted = Buffer.from(text)
  const { bytes, ends } = strings
  return firstPlace(0, order.length, place => {
    const number = order[place] ?? 0
    const difference = bytes.compare(wanted, 0, wanted.length, startOf(strings, number), ends[number] ?? 0)
    return difference < 0 || (after && difference === 0)
  })
}
