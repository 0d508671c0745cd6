import { groupByKey, inSteps } from '../collections/groups.js'
import type { Pause } from '../collections/pause.js'
import { StringsBuilder } from '../collections/strings.js'
import { Uint32List } from '../collections/uint32-list.js'
import { isStopWord, stem } from '../text/text.js'
import type { TextIndex } from './bm25.js'
import { PostingsBuilder } from './postings.js'

/** Words whose stems are cached while texts are added. */
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
  readonly #counts = new Map<number, number>()
  #length = 0

  /** Adds folded words to the text that `end` completes. */
  add(words: readonly string[], times = 1): void {
    for (const word of words) this.addTerm(this.termOf(word), times)
  }

  /** Adds a stem by number to the text that `end` completes; ignores stop words (-1). */
  addTerm(term: number, times = 1): void {
    if (term < 0) return
    this.#length += times
    this.#counts.set(term, (this.#counts.get(term) ?? 0) + times)
  }

  /** Adds a word with all its possible stems. */
  addStems(stems: readonly string[]): void {
    for (const [at, stem] of stems.entries()) {
      if (at > 0) this.#length--
      this.addTerm(this.stemNumber(stem))
    }
  }

  /** Completes the text. */
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
    const postings = new PostingsBuilder(this.#vocabulary.size)
    await inSteps(this.#vocabulary.size, pause, term => {
      const [start, end] = [offsets[term] ?? 0, offsets[term + 1] ?? 0]
      postings.begin(end - start)
      for (let at = start; at < end; at++) {
        const posting = items[at] ?? 0
        postings.add(this.#texts.at(posting), this.#frequencies.at(posting))
      }
    })
    const lengths = Uint16Array.from(this.#lengths.toArray())
    const total = lengths.reduce((sum, length) => sum + length, 0)
    const averageLength = Math.max(1, total / (lengths.length || 1))
    return { vocabulary: this.#vocabulary.build(), postings: postings.build(), lengths, averageLength }
  }

  stemNumber(stem: string): number {
    return this.#vocabulary.add(stem)
  }

  /** Stem → number of completed texts with it. */
  frequencies(): Uint32Array {
    const frequencies = new Uint32Array(this.#vocabulary.size)
    for (let at = 0; at < this.#terms.length; at++) {
      const term = this.#terms.at(at)
      frequencies[term] = (frequencies[term] ?? 0) + 1
    }
    return frequencies
  }

  /** The number of a folded word's English stem, or -1 for a stop word. */
  termOf(word: string): number {
    const known = this.#cache.get(word)
    if (known !== undefined) return known
    const term = isStopWord(word) ? -1 : this.#vocabulary.add(stem(word))
    if (this.#cache.size >= cacheSize) this.#cache.clear()
    this.#cache.set(word, term)
    return term
  }
}
