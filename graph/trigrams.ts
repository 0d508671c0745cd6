import { type Groups, inSteps, itemsOf, sizeOf } from './groups.js'
import type { Pause } from './pause.js'
import type { StringTable } from './string-table.js'
import { type Scored, Top } from './top.js'

const buckets = 1 << 16
/** Entries read for one look-up. */
const maxPostings = 40_000
/** Candidates whose likeness is really measured. */
const maxCandidates = 40

/** Finds strings that look like another one, such as a name with a typo. */
export class TrigramIndex {
  readonly #strings: StringTable
  readonly #groups: Groups
  /** Zero between look-ups. */
  readonly #counts: Uint16Array

  private constructor(strings: StringTable, groups: Groups) {
    this.#strings = strings
    this.#groups = groups
    this.#counts = new Uint16Array(strings.size)
  }

  static async build(strings: StringTable, pause: Pause): Promise<TrigramIndex> {
    const offsets = new Uint32Array(buckets + 1)
    await inSteps(strings.size, pause, at => {
      for (const bucket of bucketsOf(strings.at(at))) offsets[bucket + 1] = (offsets[bucket + 1] ?? 0) + 1
    })
    for (let at = 0; at < buckets; at++) offsets[at + 1] = (offsets[at + 1] ?? 0) + (offsets[at] ?? 0)
    const next = offsets.slice()
    const items = new Uint32Array(offsets[buckets] ?? 0)
    await inSteps(strings.size, pause, at => {
      for (const bucket of bucketsOf(strings.at(at))) {
        const place = next[bucket] ?? 0
        items[place] = at
        next[bucket] = place + 1
      }
    })
    return new TrigramIndex(strings, { offsets, items })
  }

  get byteLength(): number {
    return this.#groups.offsets.byteLength + this.#groups.items.byteLength + this.#counts.byteLength
  }

  /** The `count` strings most like `text`: Dice coefficient of their trigrams, at least `likeness` (0 … 1). */
  nearest(text: string, likeness: number, count: number): Scored[] {
    const own = bucketsOf(text)
    const top = new Top(count)
    for (const { id } of this.#candidates(own)) {
      const score = dice(own, bucketsOf(this.#strings.at(id)))
      if (score >= likeness) top.offer(id, score)
    }
    return top.sorted()
  }

  #candidates(own: number[]): Scored[] {
    const rareFirst = own.toSorted((x, y) => sizeOf(this.#groups, x) - sizeOf(this.#groups, y) || x - y)
    const touched: number[] = []
    let left = maxPostings
    for (const bucket of rareFirst) {
      left -= sizeOf(this.#groups, bucket)
      if (left < 0 && touched.length > 0) break
      for (const at of itemsOf(this.#groups, bucket).subarray(0, maxPostings)) {
        const before = this.#counts[at] ?? 0
        if (before === 0) touched.push(at)
        this.#counts[at] = before + 1
      }
    }
    const top = new Top(maxCandidates)
    for (const at of touched) {
      top.offer(at, this.#counts[at] ?? 0)
      this.#counts[at] = 0
    }
    return top.sorted()
  }
}

/** The distinct trigrams of the text with two blanks before it and one behind, each as the number of its bucket. */
function bucketsOf(text: string): number[] {
  const padded = `  ${text.slice(0, 200)} `
  const found = new Set<number>()
  for (let at = 0; at + 2 < padded.length; at++) {
    let hash = padded.charCodeAt(at)
    hash = Math.imul(hash, 0x9e3779b1) + padded.charCodeAt(at + 1)
    hash = Math.imul(hash, 0x9e3779b1) + padded.charCodeAt(at + 2)
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
    found.add((hash ^ (hash >>> 16)) & (buckets - 1))
  }
  return [...found]
}

function dice(a: number[], b: number[]): number {
  const other = new Set(b)
  let common = 0
  for (const bucket of a) if (other.has(bucket)) common++
  return (2 * common) / (a.length + b.length)
}
