import type { TextIndex } from './bm25.js'
import { groupByKey, inSteps } from './groups.js'
import type { Pause } from './pause.js'
import { StringsBuilder } from './strings.js'
import { isStopWord, stem } from './text.js'
import { Uint32List } from './uint32-list.js'

/** Words whose stem is remembered while texts are added. */
const cacheSize = 100_000

/** Collects texts for a `TextIndex`. */
export class TextIndexBuilder {
  readonly #vocabulary = new StringsBuilder()
  /** Word → its stem's number, or -1 for stop words. */
  readonly #cache = new Map<string, number>()
  readonly #terms = new Uint32List()
  readonly #texts = new Uint32List()
  readonly #frequencies = new Uint32List()
  readonly #lengths = new Uint32List()
  #counts = new Map<number, number>()
  #length = 0

  /** Counts words, folded, of the text that `end` closes. Returns the number of each word's stem, -1 for stop words. */
  add(words: readonly string[], times = 1): number[] {
    return words.map(word => {
      const term = this.#termOf(word)
      if (term < 0) return term
      this.#length += times
      this.#counts.set(term, (this.#counts.get(term) ?? 0) + times)
      return term
    })
  }

  /** The text is complete. */
  end(): void {
    const text = this.#lengths.length
    for (const [term, times] of this.#counts) {
      this.#terms.push(term)
      this.#texts.push(text)
      this.#frequencies.push(Math.min(times, 0xff))
    }
    this.#lengths.push(Math.min(this.#length, 0xffff))
    this.#counts.clear()
    this.#length = 0
  }

  async build(pause: Pause): Promise<TextIndex> {
    const { offsets, items } = await groupByKey(this.#terms.toArray(), this.#vocabulary.size, pause)
    const frequencies = new Uint8Array(items.length)
    await inSteps(items.length, pause, at => {
      const posting = items[at] ?? 0
      frequencies[at] = this.#frequencies.at(posting)
      items[at] = this.#texts.at(posting)
    })
    const lengths = Uint16Array.from(this.#lengths.toArray())
    const total = lengths.reduce((sum, length) => sum + length, 0)
    const averageLength = Math.max(1, total / (lengths.length || 1))
    return {
      vocabulary: this.#vocabulary.build(),
      offsets,
      texts: items,
      frequencies,
      lengths,
      averageLength,
    }
  }

  #termOf(word: string): number {
    const known = this.#cache.get(word)
    if (known !== undefined) return known
    const term = isStopWord(word) ? -1 : this.#vocabulary.add(stem(word))
    if (this.#cache.size >= cacheSize) this.#cache.clear()
    this.#cache.set(word, term)
    return term
  }
}
