import { itemsOf } from '../collections/groups.js'
import { findString } from '../collections/strings.js'
import { type Scored, Top } from '../collections/top.js'
import { idf, scoreText, type TextScores } from '../index/bm25.js'
import { countOf } from '../index/postings.js'
import { type SafeIndex, tagOf, wordOf } from '../index/safe-index.js'
import type { LinkedQuestion } from './link.js'
import { ordered, toOne, varied } from './passage-order.js'
import { type EdgeMatch, forwardPush, type Mass } from './push.js'
import { type QuestionWords, share } from './question-words.js'
import { bestPassages, type WordScores, withOtherWords } from './text-seeds.js'
import { limitsPassages, passageTest, type TimeRange } from './time-range.js'

/** Passages found by the question's words alone. */
const TEXT_SEEDS = 50
const TEXT_POWER = 4
/** Maximum share of linked names in the seeds' mass, and the trust at which they get half of it. */
const NAME_SHARE = 0.9
const HALF_TRUST = 0.15
/**
 * Maximum postings read: with linked names, so that common words have little influence; with words alone; and within a
 * time range, where most postings are rejected cheaply.
 */
const MAX_POSTINGS = { linked: 3_000, alone: 10_000, ranged: 100_000 }
/** Words before and after a mention that describe it. */
const WINDOW = 8
/** Factor on a passage that contains all open words. */
const WORD_GAIN = 2
/** Factor on an edge whose text contains all open words. */
const EDGE_GAIN = 4
const MAX_PASSAGES = 200
/** Passages about named entities whose time is checked. */
const MAX_TIMES = 200_000
/** Less than any mass from forward push. */
const UNREACHED_MASS = 1e-7

/**
 * Ranks passages by forward push from the linked entities and, with less mass, from passages with the
 * question's words, times 1 + their BM25 score for the open words (1 for the best). Without links, by BM25
 * alone. With a time range, only its passages are candidates, so none is displaced by better ones outside it.
 */
export function rankPassages(
  index: SafeIndex,
  question: LinkedQuestion,
  words: QuestionWords,
  range: TimeRange,
  otherWords: readonly string[] = [],
): { passages: readonly Scored[]; mass: Mass } {
  const linked = question.links.some(link => link.mass > 0)
  const ranged = limitsPassages(index, range)
  const isInRange = passageTest(index, range)
  const open = words.open(question)
  const count = linked && !ranged ? TEXT_SEEDS : MAX_PASSAGES
  const rank = (scores: TextScores, all: WordScores) => {
    const byWords = bestPassages(index, all, count, isInRange)
    const factorOf = wordFactor(scores, ranged ? isInRange : null)
    const names = shareOfNames(question.links, byWords.length)
    const seeds = seedsOf(index, question, byWords, names)
    const match = new OpenWords(index, words, open.mask)
    const named = new Set(question.links.filter(link => link.mass > 0).map(({ entity }) => entity))
    const mass = forwardPush(index, seeds, match, { factorOf, isLinked: entity => named.has(entity) })
    if (!linked) return { passages: toOne(varied(index, byWords)), mass }
    const others = ranged ? unreached(index, question, byWords, mass, isInRange) : []
    const scored = byMass(index, mass, factorOf, isInRange, others)
    return {
      passages: ordered(index, scored, { best: byWords, information: scores.information, names }),
      mass,
    }
  }
  const postings = ranged ? MAX_POSTINGS.ranged : linked ? MAX_POSTINGS.linked : MAX_POSTINGS.alone
  return withOtherWords(index, otherWords, scoresWith =>
    scoreText(index.workspace, index.text, words.all, postings, scores => rank(scores, scoresWith(scores)), {
      partial: !linked,
      isAll: !linked,
      apart: open.stems,
    }),
  )
}

/** Factor on a passage's mass: 1 + 2 × its BM25 score for the open words (1 for the best). */
function wordFactor(
  { apart, texts, bestApart }: TextScores,
  isInRange: ((passage: number) => boolean) | null,
): (passage: number) => number {
  let best = bestApart
  if (isInRange) {
    best = 0
    for (const text of texts) if (isInRange(text)) best = Math.max(best, apart[text] ?? 0)
  }
  const gain = WORD_GAIN / (best || 1)
  return passage => 1 + gain * (apart[passage] ?? 0)
}

/** Passages by mass × `factorOf`, and others with their own scores. */
function byMass(
  index: SafeIndex,
  { nodes, values }: Mass,
  factorOf: (passage: number) => number,
  isInRange: (passage: number) => boolean,
  others: readonly Scored[],
): Scored[] {
  const top = new Top(MAX_PASSAGES)
  for (let at = 0; at < nodes.length; at++) {
    const passage = (nodes[at] ?? 0) - index.entities.size
    if (passage >= 0 && isInRange(passage)) top.offer(passage, (values[at] ?? 0) * factorOf(passage))
  }
  for (const { id, score } of others) top.offer(id, score)
  return top.sorted()
}

/**
 * Passages in the range that have the question's words or are about named entities but were not reached by
 * forward push, which follows a limited number of edges. They rank behind the ones it reached.
 */
function unreached(
  index: SafeIndex,
  { links }: LinkedQuestion,
  byWords: readonly Scored[],
  mass: Mass,
  isInRange: (passage: number) => boolean,
): Scored[] {
  const reached = new Set(mass.nodes)
  const found = new Map<number, number>()
  const add = (passage: number, score: number) => {
    if (!reached.has(index.entities.size + passage) && !found.has(passage))
      found.set(passage, UNREACHED_MASS * score)
  }
  for (const { id, score } of toOne(byWords)) add(id, score)
  let times = MAX_TIMES
  for (const { entity } of links.filter(link => link.mass > 0)) {
    let left = MAX_PASSAGES
    for (const passage of itemsOf(index.passages.about, entity)) {
      if (times-- <= 0) break
      if (!isInRange(passage)) continue
      if (left-- === 0) break
      add(passage, 0.01)
    }
  }
  return [...found].map(([id, score]) => ({ id, score }))
}

/**
 * Linked names and the best passages by words share the initial mass: the more trustworthy the names, the
 * larger their share (GRAPH §3.3). An insignificant name does not dominate the question.
 */
function seedsOf(
  index: SafeIndex,
  { links }: LinkedQuestion,
  byWords: readonly Scored[],
  ofNames: number,
): Map<number, number> {
  const seeds = new Map<number, number>()
  const total = links.reduce((sum, { mass }) => sum + mass, 0)
  const passages = byWords.slice(0, TEXT_SEEDS)
  for (const { entity, mass } of links) {
    if (mass > 0) seeds.set(entity, (seeds.get(entity) ?? 0) + (ofNames * mass) / total)
  }
  const best = passages[0]?.score ?? 1
  const powers = passages.map(({ score }) => (score / best) ** TEXT_POWER)
  const sum = powers.reduce((sum, power) => sum + power, 0)
  for (const [at, { id }] of passages.entries()) {
    seeds.set(index.entities.size + id, ((1 - ofNames) * (powers[at] ?? 0)) / sum)
  }
  return seeds
}

function shareOfNames(links: LinkedQuestion['links'], seeds: number): number {
  if (seeds === 0) return 1
  // A name with several meanings counts once; more meanings make it less certain.
  const bySpan = new Map<number, number>()
  for (const link of links) bySpan.set(link.from, Math.max(bySpan.get(link.from) ?? 0, link.trust))
  const trust = [...bySpan.values()].reduce((sum, trust) => sum + trust, 0)
  return (NAME_SHARE * trust ** 2) / (trust ** 2 + HALF_TRUST ** 2)
}

/** The open words at an edge, weighted by inverse document frequency. */
class OpenWords implements EdgeMatch {
  readonly #index: SafeIndex
  readonly #words: QuestionWords
  readonly #open: number
  /** Tag of a stem → its bit. */
  readonly #bits = new Map<number, number>()
  /** The remainders mod 256 of these tags, which reject most words without a look-up. */
  readonly #remainders = new Uint8Array(256)
  /** For each bit, its share of the total. */
  readonly #worth: number[] = []

  constructor(index: SafeIndex, words: QuestionWords, open: number) {
    this.#index = index
    this.#words = words
    this.#open = open
    const { lengths, postings, vocabulary } = index.text
    for (const stem of words.stemsOf(open)) {
      const term = findString(vocabulary, stem)
      if (term < 0) continue
      this.#bits.set(tagOf(term), 1 << this.#worth.length)
      this.#remainders[tagOf(term) & 0xff] = 1
      this.#worth.push(idf(lengths.length, countOf(postings, term)))
    }
    const total = this.#worth.reduce((sum, worth) => sum + worth, 0) || 1
    for (const [bit, worth] of this.#worth.entries()) this.#worth[bit] = worth / total
  }

  ofMention(mention: number, passage: number): number {
    if (this.#worth.length === 0) return 0
    const { mentions, passages } = this.#index
    const start = passages.offsets[passage] ?? 0
    const at = start + wordOf(mentions, mention)
    const last = (passages.offsets[passage + 1] ?? 0) - (passages.titled[passage] ?? 0)
    const end = Math.min(last, at + WINDOW + 2)
    let mask = 0
    for (let word = Math.max(start, at - WINDOW); word < end; word++) {
      const tag = passages.words[word] ?? 0
      if (this.#remainders[tag & 0xff] === 1) mask |= this.#bits.get(tag) ?? 0
    }
    return EDGE_GAIN * this.#worthOf(mask)
  }

  ofPredicate(predicate: number): number {
    const match = this.#words.ofPredicate(predicate)
    return match ? EDGE_GAIN * share(match, this.#open) : 0
  }

  #worthOf(mask: number): number {
    let sum = 0
    for (let bit = 0; mask >>> bit > 0; bit++) if ((mask >>> bit) & 1) sum += this.#worth[bit] ?? 0
    return sum
  }
}
