import { idf, searchText } from './bm25.js'
import type { LinkedQuestion } from './link.js'
import { type EdgeMatch, forwardPush, type Mass } from './push.js'
import { passageCount, type SafeIndex } from './safe-index.js'
import { findString } from './strings.js'
import { type Scored, Top } from './top.js'

/** Passages that the question's words alone lead to, and their share of what forward push begins with (GRAPH §3). */
const textSeeds = 50
const textShare = 0.1
const textPower = 4
const maxPostings = 20_000
/** Words before and behind a mention that tell what it is about. */
const window = 8
const maxPassages = 200

export interface RankedPassages {
  passages: Scored[]
  mass: Mass
}

export function rankPassages(index: SafeIndex, question: LinkedQuestion): RankedPassages {
  const content = question.words.filter(word => !word.stop)
  const all = new Map(content.map(({ stem }) => [stem, 1]))
  const byWords = searchText(index.text, all, maxPassages, maxPostings)
  const open = openStems(index, question)
  const seeds = seedsOf(index, question, byWords)
  const mass = forwardPush(index, seeds, new OpenWords(index, open))
  const unlinked = new Map(searchText(index.text, open, 2_000, maxPostings).map(({ id, score }) => [id, score]))
  const top = new Top(maxPassages)
  for (const [node, value] of mass) {
    const passage = node - index.entities.size
    if (passage < 0) continue
    top.offer(passage, value * (1 + (unlinked.get(passage) ?? 0)))
  }
  return { passages: top.sorted(), mass }
}

/** The words that name nothing, or only something that very many passages name. */
function openStems(index: SafeIndex, { words, links }: LinkedQuestion): Map<string, number> {
  const open = new Map<string, number>()
  for (const [at, word] of words.entries()) {
    if (word.stop) continue
    let openness = 1
    for (const link of links) {
      if (link.from <= at && at < link.to && link.mass > 0)
        openness = Math.min(openness, 1 - Math.max(1, passageCount(index, link.entity)) ** -0.75)
    }
    if (openness > 0.5) open.set(word.stem, Math.max(open.get(word.stem) ?? 0, openness))
  }
  return open
}

function seedsOf(index: SafeIndex, { links }: LinkedQuestion, byWords: Scored[]): Map<number, number> {
  const seeds = new Map<number, number>()
  const total = links.reduce((sum, { mass }) => sum + mass, 0)
  for (const { entity, mass } of links) {
    if (mass > 0) seeds.set(entity, (seeds.get(entity) ?? 0) + ((1 - textShare) * mass) / total)
  }
  const passages = byWords.slice(0, textSeeds)
  const best = passages[0]?.score ?? 1
  const shares = passages.map(({ score }) => (score / best) ** textPower)
  const sum = shares.reduce((sum, share) => sum + share, 0)
  for (const [at, { id }] of passages.entries()) {
    seeds.set(index.entities.size + id, ((total > 0 ? textShare : 1) * (shares[at] ?? 0)) / sum)
  }
  return seeds
}

/** How many of the open words stand at an edge, each worth its inverse document frequency. */
class OpenWords implements EdgeMatch {
  readonly #index: SafeIndex
  /** Term of the passages' vocabulary + 1 → its bit. */
  readonly #bits = new Map<number, number>()
  readonly #worth: number[] = []

  constructor(index: SafeIndex, open: ReadonlyMap<string, number>) {
    this.#index = index
    for (const [stem, weight] of [...open].slice(0, 31)) {
      const term = findString(index.text.vocabulary, stem)
      if (term < 0) continue
      const count = (index.text.offsets[term + 1] ?? 0) - (index.text.offsets[term] ?? 0)
      this.#bits.set(term + 1, 1 << this.#worth.length)
      this.#worth.push(weight * idf(index.text.lengths.length, count))
    }
  }

  ofMention(mention: number): number {
    const { mentions, passages } = this.#index
    const passage = mentions.passage[mention] ?? 0
    const start = passages.offsets[passage] ?? 0
    const end = passages.offsets[passage + 1] ?? 0
    const at = start + (mentions.at[mention] ?? 0)
    let mask = 0
    const last = Math.min(end, at + window + 2)
    for (let word = Math.max(start, at - window); word < last; word++) {
      mask |= this.#bits.get(passages.words[word] ?? 0) ?? 0
    }
    return this.#worthOf(mask)
  }

  ofPredicate(): number {
    return 0
  }

  #worthOf(mask: number): number {
    let sum = 0
    for (let bit = 0; mask >>> bit > 0; bit++) if ((mask >>> bit) & 1) sum += this.#worth[bit] ?? 0
    return sum
  }
}
