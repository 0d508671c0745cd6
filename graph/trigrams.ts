import { type Groups, inSteps, sizeOf } from './groups.js'
import type { Pause } from './pause.js'
import { Scratch } from './scratch.js'
import { lengthOf, type Strings, type StringsBuilder, stringAt } from './strings.js'
import { type Scored, Top } from './top.js'

const buckets = 1 << 16
/** Entries read for one look-up. */
const maxPostings = 4_000
/** Candidates whose likeness is really measured. */
const maxCandidates = 12

const counts = new Scratch()

/** Trigram → the strings that have it: what `nearest` needs to find strings that look alike. */
export async function buildTrigrams(strings: StringsBuilder, pause: Pause): Promise<Groups> {
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
  return { offsets, items }
}

/**
 * The `count` strings most like `text`, such as a name with a typo: Dice's coefficient (Dice 1945) of their trigrams,
 * 2 · common ÷ (all of the one + all of the other), at least `likeness`. Rare trigrams are read first, up to a cap.
 */
export function nearest(
  trigrams: Groups,
  strings: Strings,
  text: string,
  likeness: number,
  count: number,
): Scored[] {
  const own = bucketsOf(text)
  const top = new Top(count)
  for (const { id } of candidates(trigrams, strings, own)) {
    const score = dice(own, bucketsOf(stringAt(strings, id)))
    if (score >= likeness) top.offer(id, score)
  }
  return top.sorted()
}

function candidates(trigrams: Groups, strings: Strings, own: number[]): Scored[] {
  const shared = counts.take(strings.size)
  const rareFirst = own.toSorted((x, y) => sizeOf(trigrams, x) - sizeOf(trigrams, y) || x - y)
  const touched: number[] = []
  let left = maxPostings
  for (const bucket of rareFirst) {
    left -= sizeOf(trigrams, bucket)
    if (left < 0 && touched.length > 0) break
    const end = Math.min(trigrams.offsets[bucket + 1] ?? 0, (trigrams.offsets[bucket] ?? 0) + maxPostings)
    for (let place = trigrams.offsets[bucket] ?? 0; place < end; place++) {
      const at = trigrams.items[place] ?? 0
      const before = shared[at] ?? 0
      if (before === 0) touched.push(at)
      shared[at] = before + 1
    }
  }
  const top = new Top(maxCandidates)
  for (const at of touched) {
    // Nearly Dice's coefficient: a string has about as many trigrams as bytes.
    top.offer(at, (shared[at] ?? 0) / (own.length + lengthOf(strings, at)))
    shared[at] = 0
  }
  return top.sorted()
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
