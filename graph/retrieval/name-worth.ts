import { frequency } from '../index/bm25.js'
import { passageCount, type SafeIndex } from '../index/safe-index.js'

/** What a stop word of a name says; other words say between 0 and 1. */
const stopWordSize = 0.2
/** How little a name of n passages says: n^-0.75. */
const power = 0.75
/** From this many passages on, only the part of them that a name has counts for trust in it. */
const manyPassages = 2_000

/** A word of a name. */
export interface NameWord {
  stem: string
  /** Says nothing by itself. */
  stop: boolean
}

/** How much a Safe's passages make of names (GRAPH §3.2, §3.3). */
export class NameWorth {
  readonly #index: SafeIndex
  readonly #passages: number

  constructor(index: SafeIndex) {
    this.#index = index
    this.#passages = index.passages.count
  }

  /** Of a name's words together: a rare word counts 1, one of all passages next to nothing. */
  sizeOf(words: readonly NameWord[]): number {
    return words.reduce(
      (size, word) => size + (word.stop ? stopWordSize : this.#rarity(this.#with(word) + 1)),
      0,
    )
  }

  /**
   * Passages in which the name may stand: those of the entity, and where the name is one word of content all passages
   * with this word; 1 at least.
   */
  passagesOf(entity: number, words: readonly NameWord[]): number {
    const content = words.filter(word => !word.stop)
    const [only] = content
    const withWord = content.length === 1 && only ? this.#with(only) : 0
    return Math.max(1, withWord, passageCount(this.#index, entity))
  }

  /** What forward push begins with at an entity, beside others: `share` = certainty ÷ meanings. */
  mass(size: number, share: number, passages: number): number {
    return (size * share) / passages ** power
  }

  /** What a name of so many words adds to the trust in the names of a question. */
  trust(words: number, share: number, passages: number): number {
    const counted = passages * Math.min(1, manyPassages / Math.max(1, this.#passages))
    return (words * share) / Math.max(1, counted) ** power
  }

  /** 1 for a name of one passage, near 0 for one that most have. */
  rarityOf(passages: number): number {
    return this.#rarity(passages)
  }

  #rarity(passages: number): number {
    if (this.#passages === 0) return 1
    return Math.log1p(this.#passages / passages) / Math.log1p(this.#passages)
  }

  #with({ stem }: NameWord): number {
    return frequency(this.#index.text, stem)
  }
}
