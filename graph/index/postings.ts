import { Uint8List } from '../collections/uint8-list.js'

/**
 * Packed lists of ascending numbers with term frequencies: the length of the list, then the gaps between
 * numbers as variable-length integers of 7 bits a byte (Zobel and Moffat 2006, §8), with a frequency only
 * where it is not 1. Two bytes per posting instead of five.
 */
export interface Postings {
  /** Where each list begins in `bytes`; an empty list takes no space. */
  offsets: Uint32Array
  bytes: Buffer
}

/** A list as `unpack` returns it, valid until the next call with the same object. */
export class Unpacked {
  numbers = new Uint32Array(10_000)
  times = new Uint8Array(10_000)
}

/** The length of a list. */
export function countOf({ offsets, bytes }: Postings, list: number): number {
  let at = offsets[list] ?? 0
  if (at >= (offsets[list + 1] ?? 0)) return 0
  let count = 0
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++] ?? 0
    count |= (byte & 0x7f) << shift
    if (byte < 0x80) return count
  }
}

/** Unpacks at most `most` numbers of a list into `unpacked` and returns their count. */
export function unpack(postings: Postings, list: number, most: number, unpacked: Unpacked): number {
  const { bytes, offsets } = postings
  const count = Math.min(countOf(postings, list), most)
  if (count > unpacked.numbers.length) {
    unpacked.numbers = new Uint32Array(count)
    unpacked.times = new Uint8Array(count)
  }
  const { numbers, times } = unpacked
  let at = (offsets[list] ?? 0) + 1
  while ((bytes[at - 1] ?? 0) >= 0x80) at++
  for (let place = 0, number = 0; place < count; place++) {
    let packed = bytes[at++] ?? 0
    if (packed >= 0x80) {
      packed &= 0x7f
      for (let shift = 7; ; shift += 7) {
        const byte = bytes[at++] ?? 0
        packed |= (byte & 0x7f) << shift
        if (byte < 0x80) break
      }
    }
    number += packed >>> 1
    numbers[place] = number
    times[place] = packed & 1 ? (bytes[at++] ?? 0) : 1
  }
  return count
}

/** Packs lists one after another. */
export class PostingsBuilder {
  readonly #offsets: Uint32Array<ArrayBuffer>
  readonly #bytes = new Uint8List()
  #lists = 0
  #last = 0

  constructor(lists: number) {
    this.#offsets = new Uint32Array(lists + 1)
  }

  /** Begins the next list, of `count` numbers. */
  begin(count: number): void {
    this.#offsets[this.#lists++] = this.#bytes.length
    this.#last = 0
    if (count > 0) this.#varint(count)
  }

  /** Adds a number not below the previous one; `times` is 1 … 255. */
  add(number: number, times = 1): void {
    this.#varint(((number - this.#last) << 1) | (times === 1 ? 0 : 1))
    if (times !== 1) this.#bytes.push(times)
    this.#last = number
  }

  build(): Postings {
    this.#offsets[this.#lists] = this.#bytes.length
    return { offsets: this.#offsets, bytes: this.#bytes.toBuffer() }
  }

  #varint(value: number): void {
    let left = value
    for (; left > 0x7f; left >>>= 7) this.#bytes.push((left & 0x7f) | 0x80)
    this.#bytes.push(left)
  }
}
