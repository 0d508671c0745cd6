import { inSteps } from '../collections/groups.js'
import type { Pause } from '../collections/pause.js'
import { lengthOf, type Strings, stringAt } from '../collections/strings.js'
import { bestSums, type Scored, Top } from '../collections/top.js'
import { countOf, type Postings, PostingsBuilder, unpack } from './postings.js'
import type { Workspace } from './workspace.js'

const BUCKETS = 1 << 14
/** Entries read per look-up. */
const MAX_POSTINGS = 4_000
/** Candidates whose likeness is measured exactly. */
const MAX_CANDIDATES = 12

/** Trigram → strings that contain it, for finding similar strings with `nearest`. */
export async function buildTrigrams(strings: Strings, pause: Pause): Promise<Postings> {
  const postings = new PostingsBuilder()
  await inSteps(strings.size, pause, at => {
    for (const bucket of trigramsOf(stringAt(strings, at))) postings.add(bucket, at)
  })
  return postings.build(BUCKETS, pause)
}

/**
 * The `count` strings most similar to `text`, such as a misspelled word, with a Dice coefficient of trigrams
 * of at least `likeness`. Rare trigrams are read first, up to a cap.
 */
export function nearest(
  workspace: Workspace,
  trigrams: Postings,
  strings: Strings,
  text: string,
  likeness: number,
  count: number,
): Scored[] {
  const own = trigramsOf(text)
  const top = new Top(count)
  for (const { id } of candidates(workspace, trigrams, strings, own)) {
    const score = dice(own, trigramsOf(stringAt(strings, id)))
    if (score >= likeness) top.offer(id, score)
  }
  return top.sorted()
}

function candidates(
  { trigrams: counts, unpacked }: Workspace,
  trigrams: Postings,
  strings: Strings,
  own: number[],
): Scored[] {
  const shared = counts.take(strings.size)
  const rareFirst = own
    .map(bucket => ({ bucket, size: countOf(trigrams, bucket) }))
    .sort((x, y) => x.size - y.size || x.bucket - y.bucket)
  const touched: number[] = []
  let left = MAX_POSTINGS
  for (const { bucket, size } of rareFirst) {
    left -= size
    if (left < 0 && touched.length > 0) break
    for (const at of unpack(trigrams, bucket, MAX_POSTINGS, unpacked)) {
      const before = shared[at] ?? 0
      if (before === 0) touched.push(at)
      shared[at] = before + 1
    }
  }
  // Approximately Dice's coefficient: a string has about as many trigrams as bytes.
  const likenessOf = (sum: number, at: number) => sum / (own.length + lengthOf(strings, at))
  return bestSums(shared, touched, MAX_CANDIDATES, likenessOf)
}

/** The distinct trigrams of the text, padded with two blanks before and one after, as bucket numbers. */
export function trigramsOf(text: string): number[] {
  const padded = `  ${text.slice(0, 200)} `
  const found: number[] = []
  for (let at = 0; at + 2 < padded.length; at++) {
    let hash = padded.charCodeAt(at)
    hash = Math.imul(hash, 0x9e3779b1) + padded.charCodeAt(at + 1)
    hash = Math.imul(hash, 0x9e3779b1) + padded.charCodeAt(at + 2)
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
    const bucket = (hash ^ (hash >>> 16)) & (BUCKETS - 1)
    if (!found.includes(bucket)) found.push(bucket)
  }
  return found
}

/** Dice's coefficient (Dice 1945) of two sets of trigrams: 2 · common ÷ (size of both together). */
export function dice(a: readonly number[], b: readonly number[]): number {
  let common = 0
  for (const bucket of a) if (b.includes(bucket)) common++
  return (2 * common) / (a.length + b.length)
}
