import { inSteps } from '../collections/groups.js'
import type { Pause } from '../collections/pause.js'
import { Uint32List } from '../collections/uint32-list.js'

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

/** Unpacks at most `most` numbers of a list into `unpacked` and returns them. */
export function unpack(postings: Postings, list: number, most: number, unpacked: Unpacked): Uint32Array {
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
  return numbers.subarray(0, count)
}

/** Numbers to be added to lists, above those that they have, in ascending order. */
export type Additions = Map<number, { numbers: number[]; times: number[] }>

/** The same lists with more numbers; `lists`: how many lists there are then. */
export function withNumbers(before: Postings, lists: number, additions: Additions): Postings {
  const unpacked = new Unpacked()
  const offsets = new Uint32Array(lists + 1)
  const pieces: Uint8Array[] = []
  const known = before.offsets.length - 1
  const end = before.bytes.length
  let [copied, longer, next] = [0, 0, 0]
  /** Lists up to this one are as long as before. */
  const copy = (list: number) => {
    const last = Math.min(list, known)
    for (; next <= last; next++) offsets[next] = (before.offsets[next] ?? 0) + longer
    if (next <= list) offsets.fill(end + longer, next, list + 1)
    next = list + 1
  }
  for (const [list, added] of [...additions].sort(([a], [b]) => a - b)) {
    copy(list)
    const start = before.offsets[list] ?? end
    const numbers = unpack(before, list, list < known ? Number.POSITIVE_INFINITY : 0, unpacked)
    const count = numbers.length
    const size = Buffer.alloc(MAX_BYTES)
    const head = size.subarray(0, write(size, 0, count + added.numbers.length))
    const more = packed(added, numbers.at(-1) ?? 0)
    const body = count === 0 ? start : start + sizeOf(count)
    pieces.push(before.bytes.subarray(copied, start), head)
    copied = list < known ? (before.offsets[list + 1] ?? end) : end
    pieces.push(before.bytes.subarray(body, copied), more)
    longer += head.length + more.length - (body - start)
  }
  copy(lists)
  pieces.push(before.bytes.subarray(copied))
  return { offsets, bytes: Buffer.concat(pieces) }
}

/** Numbers as packed behind the number `before`. */
function packed({ numbers, times }: { numbers: number[]; times: number[] }, before: number): Uint8Array {
  const bytes = Buffer.alloc(numbers.length * (MAX_BYTES + 1))
  let [end, last] = [0, before]
  for (const [at, number] of numbers.entries()) {
    const often = times[at] ?? 1
    end = write(bytes, end, ((number - last) << 1) | (often === 1 ? 0 : 1))
    if (often !== 1) bytes[end++] = often
    last = number
  }
  return bytes.subarray(0, end)
}

/** Bytes of the longest variable-length integer. */
const MAX_BYTES = 5

/** Packs lists whose numbers arrive in any order of the lists. */
export class PostingsBuilder {
  readonly #lists: Uint32List
  /** As packed. */
  readonly #gaps: Uint32List
  /** Of the numbers that have another than 1. */
  readonly #times = new Uint32List()
  /** List → its length, last number and bytes so far. */
  #state = new Uint32Array(3 * 1024)

  /** `capacity`: how many numbers are expected. */
  constructor(capacity = 1024) {
    this.#lists = new Uint32List(capacity)
    this.#gaps = new Uint32List(capacity)
  }

  /** Adds a number, not below the previous one of its list; `times` is 1 … 255. */
  add(list: number, number: number, times = 1): void {
    const at = 3 * list
    if (at >= this.#state.length) this.#reserve(list)
    const state = this.#state
    const gap = ((number - (state[at + 1] ?? 0)) << 1) | (times === 1 ? 0 : 1)
    state[at] = (state[at] ?? 0) + 1
    state[at + 1] = number
    state[at + 2] = (state[at + 2] ?? 0) + sizeOf(gap) + (gap & 1)
    this.#lists.push(list)
    this.#gaps.push(gap)
    if (times !== 1) this.#times.push(times)
  }

  /** List → its length so far. */
  counts(lists: number): Uint32Array<ArrayBuffer> {
    return Uint32Array.from({ length: lists }, (_, list) => this.#state[3 * list] ?? 0)
  }

  async build(lists: number, pause: Pause): Promise<Postings> {
    const offsets = new Uint32Array(lists + 1)
    for (let list = 0; list < lists; list++) {
      const [count, bytes] = [this.#state[3 * list] ?? 0, this.#state[3 * list + 2] ?? 0]
      offsets[list + 1] = (offsets[list] ?? 0) + (count === 0 ? 0 : sizeOf(count) + bytes)
    }
    const bytes = Buffer.alloc(offsets[lists] ?? 0)
    const ends = offsets.slice(0, lists)
    for (let list = 0; list < lists; list++) {
      const count = this.#state[3 * list] ?? 0
      if (count > 0) ends[list] = write(bytes, ends[list] ?? 0, count)
    }
    const [all, gaps, times] = [this.#lists.view(), this.#gaps.view(), this.#times.view()]
    let next = 0
    await inSteps(all.length, pause, at => {
      const [list, gap] = [all[at] ?? 0, gaps[at] ?? 0]
      const end = write(bytes, ends[list] ?? 0, gap)
      if ((gap & 1) === 1) bytes[end] = times[next++] ?? 0
      ends[list] = end + (gap & 1)
    })
    return { offsets, bytes }
  }

  #reserve(list: number): void {
    const larger = new Uint32Array(3 * 2 * (list + 1))
    larger.set(this.#state)
    this.#state = larger
  }
}

/** Bytes of a variable-length integer. */
function sizeOf(value: number): number {
  let size = 1
  for (let left = value; left > 0x7f; left >>>= 7) size++
  return size
}

/** Writes a variable-length integer and returns its end. */
function write(bytes: Uint8Array, at: number, value: number): number {
  let [end, left] = [at, value]
  for (; left > 0x7f; left >>>= 7) bytes[end++] = (left & 0x7f) | 0x80
  bytes[end++] = left
  return end
}
