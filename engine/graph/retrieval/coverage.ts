import { findString } from '../collections/strings.js'
import { idf } from '../index/bm25.js'
import { countOf, unpack } from '../index/postings.js'
import { type SafeIndex, tagOf } from '../index/safe-index.js'
import type { LinkedQuestion } from './link.js'

/** The coverage is exact only up to this share. */
const ENOUGH = 0.5
/** Postings read to check whether a passage has a word in its title only. */
const MAX_POSTINGS = 5_000

/**
 * The share of a question's content words that a passage has in its text or title, by stems and weighted by
 * inverse document frequency, and the share that the whole Safe lacks: 0 … 1. Misspelled names are ignored; words
 * unknown to the Safe count as missing.
 */
export function coverageOf(
  index: SafeIndex,
  { words }: LinkedQuestion,
  passage: number,
): { coverage: number; unknown: number } {
  const { vocabulary, postings, lengths } = index.text
  const tags = tagsOf(index, passage)
  const seen = new Set<string>()
  const missing: { term: number; count: number; weight: number }[] = []
  let [held, total, unknown, left] = [0, 0, 0, MAX_POSTINGS]
  for (const { stem, stop, linked } of words) {
    if (stop || seen.has(stem)) continue
    seen.add(stem)
    const term = findString(vocabulary, stem)
    if (term < 0 && linked) continue
    const count = term < 0 ? 0 : countOf(postings, term)
    const weight = idf(lengths.length, count)
    total += weight
    if (term < 0) {
      unknown += weight
      continue
    }
    if (tags.has(tagOf(term))) held += weight
    else missing.push({ term, count, weight })
  }
  if (total === 0) return { coverage: 1, unknown: 0 }
  for (const { term, count, weight } of missing) {
    // The title is checked only while it matters: above half, the exact share is irrelevant.
    if (held >= ENOUGH * total || count > left) continue
    left -= count
    if (isIn(index, term, count, passage)) held += weight
  }
  return { coverage: held / total, unknown: unknown / total }
}

function tagsOf({ passages: { offsets, words } }: SafeIndex, passage: number): Set<number> {
  return new Set(words.subarray(offsets[passage] ?? 0, offsets[passage + 1] ?? 0))
}

function isIn(
  { text, workspace: { unpacked } }: SafeIndex,
  term: number,
  count: number,
  passage: number,
): boolean {
  const read = unpack(text.postings, term, count, unpacked)
  return unpacked.numbers.subarray(0, read).includes(passage)
}
