import { stringAt } from '../collections/strings.js'
import { matchText } from '../index/bm25.js'
import { passageCount, type SafeIndex } from '../index/safe-index.js'
import { arePair } from '../text/text.js'
import type { LinkedQuestion } from './link.js'

/** Postings read to find predicates and names. */
const MAX_PREDICATE_POSTINGS = 10_000
const MAX_NAME_POSTINGS = 500
/**
 * A name in more passages than this counts as an ordinary word ("film"), which still helps to match edges.
 */
const COMMON_NAME = 20

/** Words of the question, as bits, found in a text of `length` words. */
interface Match {
  mask: number
  length: number
}

/** The question's stems without stop words. */
export class QuestionWords {
  /** All of them. */
  readonly all: readonly string[]
  /** The first ones, one bit each. Further words of a long question are not used for edges and facts. */
  readonly stems: readonly string[]
  /** Bit → positions of its words. */
  readonly #positions: number[][]
  /** Predicates and entities that contain words of the question, and which words. */
  readonly predicates = new Map<number, Match>()
  readonly #names = new Map<number, Match>()
  readonly #types = new Map<number, Match>()
  readonly #index: SafeIndex

  constructor(index: SafeIndex, question: LinkedQuestion) {
    const positions = positionsOf(question)
    this.#index = index
    this.all = [...positions.keys()]
    this.stems = this.all.slice(0, 31)
    this.#positions = [...positions.values()]
    for (const [predicate, mask] of matchText(
      index.workspace,
      index.predicateText,
      this.stems,
      MAX_PREDICATE_POSTINGS,
    )) {
      this.predicates.set(predicate, { mask, length: index.predicateText.lengths[predicate] ?? 1 })
    }
    for (const [name, mask] of matchText(index.workspace, index.names, this.stems, MAX_NAME_POSTINGS)) {
      const entity = index.nameOf[name] ?? 0
      const match = { mask, length: index.names.lengths[name] ?? 1 }
      const before = this.#names.get(entity)
      if (before === undefined || share(match) > share(before)) this.#names.set(entity, match)
    }
  }

  /** The words between two positions that occur nowhere else in the question. */
  between(from: number, to: number): number {
    return this.#maskOf(places => places.every(at => at >= from && at < to))
  }

  /**
   * The words that are not part of a name, or only of a common one: all their stems, and the bits of the
   * first.
   */
  open(question: LinkedQuestion): { stems: readonly string[]; mask: number } {
    const closed = new Set<number>()
    for (const { from, to, entity, mass } of question.links) {
      if (mass <= 0 || passageCount(this.#index, entity) > COMMON_NAME) continue
      for (let at = from; at < to; at++) closed.add(at)
    }
    const isOpen = (places: readonly number[]) => places.some(at => !closed.has(at))
    const stems = this.all.filter((_, at) => isOpen(this.#positions[at] ?? []))
    return { stems, mask: this.#maskOf(isOpen) }
  }

  stemsOf(mask: number): string[] {
    return this.stems.filter((_, bit) => mask & (1 << bit))
  }

  /** The position of the first of these words in the question. */
  firstPosition(mask: number): number {
    let first = Number.POSITIVE_INFINITY
    for (let bit = 0; bit < this.stems.length; bit++) {
      if (mask & (1 << bit)) first = Math.min(first, ...(this.#positions[bit] ?? []))
    }
    return first
  }

  ofPredicate(predicate: number): Match | null {
    return this.predicates.get(predicate) ?? null
  }

  ofName(entity: number): Match | null {
    return this.#names.get(entity) ?? null
  }

  ofType(entity: number): Match | null {
    const type = this.#index.typeOf[entity] ?? 0
    if (type === 0) return null
    const known = this.#types.get(type)
    if (known) return known
    const { workspace, languages, types } = this.#index
    const stems = workspace.stems.of(languages).termsIn(stringAt(types, type))
    let mask = 0
    for (const [bit, stem] of this.stems.entries()) if (stems.flat().includes(stem)) mask |= 1 << bit
    const match = { mask, length: stems.length }
    this.#types.set(type, match)
    return match
  }

  #maskOf(isIn: (positions: number[]) => boolean): number {
    let mask = 0
    for (let bit = 0; bit < this.stems.length; bit++) {
      if (isIn(this.#positions[bit] ?? [])) mask |= 1 << bit
    }
    return mask
  }
}

/**
 * Each stem of the question with its words. In scripts without spaces, two adjacent characters also form a
 * stem, which is more specific and comes first.
 */
function positionsOf({ words }: LinkedQuestion): Map<string, number[]> {
  const positions = new Map<string, number[]>()
  const add = (stem: string, ...at: number[]) => positions.set(stem, [...(positions.get(stem) ?? []), ...at])
  for (const [at, word] of words.entries()) {
    const before = words[at - 1]
    if (arePair(before, word)) add(`${before?.folded}${word.folded}`, at - 1, at)
  }
  for (const [at, word] of words.entries()) if (!word.stop) for (const stem of word.stems) add(stem, at)
  return positions
}

/** How much of the text consists of these words, among those `allowed`: 0 … 1. */
export function share({ mask, length }: Match, allowed = -1): number {
  const matched = mask & allowed
  return matched === 0 ? 0 : Math.min(1, bitCount(matched) / Math.max(1, length))
}

function bitCount(mask: number): number {
  let count = 0
  for (let left = mask; left !== 0; left &= left - 1) count++
  return count
}
