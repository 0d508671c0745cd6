import { inSteps } from '../collections/groups.js'
import type { Pause } from '../collections/pause.js'
import { Uint8List } from '../collections/uint8-list.js'
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

/** Packs lists whose numbers arrive in any order of the lists. */
export class PostingsBuilder {
  readonly #lists = new Uint32List()
  readonly #numbers = new Uint32List()
  readonly #times = new Uint8List()

  /** Adds a number, not below the previous one of its list; `times` is 1 … 255. */
  add(list: number, number: number, times = 1): void {
    this.#lists.push(list)
    this.#numbers.push(number)
    this.#times.push(times)
  }

  /** List → its length so far. */
  counts(lists: number): Uint32Array<ArrayBuffer> {
    const counts = new Uint32Array(lists)
    for (const list of this.#lists.view()) counts[list] = (counts[list] ?? 0) + 1
    return counts
  }

  /** First adds up the bytes of each list, then writes each number where it belongs. */
  async build(lists: number, pause: Pause): Promise<Postings> {
    const counts = this.counts(lists)
    const offsets = new Uint32Array(lists + 1)
    await this.#gaps(lists, pause, (list, gap, times) => {
      offsets[list + 1] = (offsets[list + 1] ?? 0) + sizeOf(gap) + (times === 1 ? 0 : 1)
    })
    for (let list = 0; list < lists; list++) {
      const header = (counts[list] ?? 0) === 0 ? 0 : sizeOf(counts[list] ?? 0)
      offsets[list + 1] = (offsets[list + 1] ?? 0) + (offsets[list] ?? 0) + header
    }
    const bytes = Buffer.allocUnsafe(offsets[lists] ?? 0)
    const ends = offsets.slice(0, lists)
    for (let list = 0; list < lists; list++) {
      if ((counts[list] ?? 0) > 0) ends[list] = write(bytes, ends[list] ?? 0, counts[list] ?? 0)
    }
    await this.#gaps(lists, pause, (list, gap, times) => {
      const end = write(bytes, ends[list] ?? 0, gap)
      if (times !== 1) bytes[end] = times
      ends[list] = times === 1 ? end : end + 1
    })
    return { offsets, bytes }
  }

  async #gaps(
    count: number,
    pause: Pause,
    use: (list: number, gap: number, times: number) => void,
  ): Promise<void> {
    const last = new Uint32Array(count)
    const [lists, numbers, often] = [this.#lists.view(), this.#numbers.view(), this.#times.view()]
    await inSteps(lists.length, pause, at => {
      const [list, number, times] = [lists[at] ?? 0, numbers[at] ?? 0, often[at] ?? 0]
      use(list, ((number - (last[list] ?? 0)) << 1) | (times === 1 ? 0 : 1), times)
      last[list] = number
    })
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
