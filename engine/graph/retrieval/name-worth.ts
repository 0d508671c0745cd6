import { frequency } from '../index/bm25.js'
import { passageCount, type SafeIndex } from '../index/safe-index.js'

/** The information of a stop word in a name; other words have between 0 and 1. */
const STOP_WORD_SIZE = 0.2
/** The weight of a name in n passages is n^-0.75. */
const POWER = 0.75
/** From this many passages on, trust in a name depends on the share of passages that contain it. */
const MANY_PASSAGES = 2_000

/** A word of a name. */
export interface NameWord {
  stem: string
  /** A stop word. */
  stop: boolean
}

/** How distinctive names are in a Safe's passages (GRAPH §3.2, §3.3). */
export class NameWorth {
  readonly #index: SafeIndex
  readonly #passages: number

  constructor(index: SafeIndex) {
    this.#index = index
    this.#passages = index.passages.count
  }

  /** The information of a name's words: 1 for a rare word, almost 0 for a word in all passages. */
  sizeOf(words: readonly NameWord[]): number {
    return words.reduce(
      (size, word) => size + (word.stop ? STOP_WORD_SIZE : this.rarityOf(this.#with(word) + 1)),
      0,
    )
  }

  /**
   * Passages in which the name may occur: those of the entity and, if the name has one content word, all
   * passages with this word. At least 1.
   */
  passagesOf(entity: number, words: readonly NameWord[]): number {
    const content = words.filter(word => !word.stop)
    const [only] = content
    const withWord = content.length === 1 && only ? this.#with(only) : 0
    return Math.max(1, withWord, passageCount(this.#index, entity))
  }

  /** The initial mass of an entity in forward push; `share` = certainty ÷ meanings. */
  mass(size: number, share: number, passages: number): number {
    return (size * share) / passages ** POWER
  }

  /** The contribution of a name with this many words to the trust in a question's names. */
  trust(words: number, share: number, passages: number): number {
    const counted = passages * Math.min(1, MANY_PASSAGES / Math.max(1, this.#passages))
    return (words * share) / Math.max(1, counted) ** POWER
  }

  /** 1 for a name in one passage, near 0 for one in most passages. */
  rarityOf(passages: number): number {
    if (this.#passages === 0) return 1
    return Math.log1p(this.#passages / passages) / Math.log1p(this.#passages)
  }

  #with({ stem }: NameWord): number {
    return frequency(this.#index.text, stem)
  }
}
