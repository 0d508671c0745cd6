import { findString } from '../collections/strings.js'
import { idf } from '../index/bm25.js'
import { countOf } from '../index/postings.js'
import { type SafeIndex, tagOf } from '../index/safe-index.js'
import type { LinkedQuestion } from './link.js'
import { isCapital, isWordOf } from './question-word.js'

/** Words of a passage that are read. */
const MAX_WORDS = 2_000
/** Words of a passage that are close to each other. */
const WINDOW = 20
/** Content words of a question that count. */
const MAX_ASKED = 30
/** Weight of a word that the Safe does not have and that is not written like a name. */
const UNKNOWN = 0.7
/** Passages of an answer that are examined. */
const EXAMINED = 6

/** A content word of a question: its stems, and its share of the total weight by inverse document frequency. */
export interface AskedWord {
  stems: readonly string[]
  worth: number
}

/** How much of a question the best passages contain: shares of the weight of its content words, 0 … 1. */
export interface Evidence {
  asked: AskedWord[]
  /** The highest share close to each other in a passage, or in its title. */
  near: number
  /** The highest share in a title. */
  titled: number
  /** The share of words that the Safe does not have. */
  unknown: number
}

/** The content words of a question, the tags of their stems as bits, and the share of words that the Safe does not have. */
interface AskedWords extends Pick<Evidence, 'asked' | 'unknown'> {
  bits: ReadonlyMap<number, number>
}

/** The content words of a question. Misspelled names that were recognized are not missing. */
export function askedWords(index: SafeIndex, { words, corrected }: LinkedQuestion): AskedWords {
  const { vocabulary, postings, lengths } = index.text
  const bits = new Map<number, number>()
  const asked: AskedWord[] = []
  let [total, unknown] = [0, 0]
  const seen = new Set<string>()
  for (const word of words) {
    const { stem, stems, stop, linked } = word
    if (stop || seen.has(stem) || asked.length === MAX_ASKED) continue
    seen.add(stem)
    const known = stems.map(one => findString(vocabulary, one)).filter(term => term >= 0)
    const isKnown = known.length > 0 || isWordOf(index, word)
    if (!isKnown && linked) continue
    for (const term of known) bits.set(tagOf(term), 1 << asked.length)
    const full = idf(lengths.length, Math.max(0, ...known.map(term => countOf(postings, term))))
    const worth = isKnown || isCapital(word) ? full : UNKNOWN * full
    asked.push({ stems, worth })
    total += worth
    // A corrected word is a guess.
    if (!isKnown || corrected.some(({ text }) => text === word.text)) unknown += worth
  }
  for (const one of asked) one.worth /= total || 1
  return { asked, bits, unknown: unknown / (total || 1) }
}

/** The evidence in the first of these passages. */
export function evidenceIn(
  index: SafeIndex,
  { asked, bits, unknown }: AskedWords,
  passages: readonly number[],
): Evidence {
  if (asked.length === 0) return { asked, near: 1, titled: 0, unknown }
  const found = { near: 0, titled: 0 }
  for (const passage of passages.slice(0, EXAMINED)) {
    const { own, titled } = heldIn(index, passage, bits)
    found.near = Math.max(found.near, worthOf(asked, own | titled))
    found.titled = Math.max(found.titled, worthOf(asked, titled))
  }
  return { asked, ...found, unknown }
}

/** The words that a passage has close together in its own text, and in its title, as sets of bits. */
function heldIn({ passages }: SafeIndex, passage: number, bits: ReadonlyMap<number, number>) {
  const { offsets, words } = passages
  const [start, next] = [offsets[passage] ?? 0, offsets[passage + 1] ?? 0]
  const end = next - (passages.titled[passage] ?? 0)
  let titled = 0
  for (let at = end; at < next; at++) titled |= bits.get(words[at] ?? 0) ?? 0
  let [own, most] = [0, 0]
  const last = new Map<number, number>()
  for (let at = start; at < Math.min(end, start + MAX_WORDS); at++) {
    const bit = bits.get(words[at] ?? 0)
    if (bit === undefined) continue
    last.set(bit, at)
    let [window, count] = [0, 0]
    for (const [other, place] of last) if (at - place < WINDOW) [window, count] = [window | other, count + 1]
    if (count > most) [own, most] = [window, count]
  }
  return { own, titled }
}

function worthOf(asked: readonly AskedWord[], mask: number): number {
  return asked.reduce((sum, { worth }, bit) => ((mask >>> bit) & 1 ? sum + worth : sum), 0)
}
