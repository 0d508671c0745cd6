import { groupByKey, inSteps } from './groups.js'
import type { Pause } from './pause.js'
import { StringTable } from './string-table.js'
import { isStopWord, stem, words } from './text.js'
import { type Scored, Top } from './top.js'
import { Uint32List } from './uint32-list.js'

const k1 = 0.9
const b = 0.4
/** Words whose stem is remembered while texts are added. */
const cacheSize = 100_000
const maxFrequency = 255

/** An inverted index over texts, numbered from 0 in the order they were added. Only stems are kept, never the text. */
export class TextIndex {
  /** Stems. */
  readonly vocabulary: StringTable
  readonly #offsets: Uint32Array
  readonly #texts: Uint32Array
  readonly #frequencies: Uint8Array
  /** Words of each text. */
  readonly #lengths: Uint32Array
  readonly #averageLength: number
  /** Zero between searches. */
  readonly #scores: Float32Array

  constructor(vocabulary: StringTable, postings: Postings, lengths: Uint32Array) {
    this.vocabulary = vocabulary
    this.#offsets = postings.offsets
    this.#texts = postings.texts
    this.#frequencies = postings.frequencies
    this.#lengths = lengths
    this.#averageLength = Math.max(
      1,
      lengths.reduce((sum, length) => sum + length, 0) / (lengths.length || 1),
    )
    this.#scores = new Float32Array(lengths.length)
  }

  get byteLength(): number {
    const numbers = this.#offsets.length + this.#texts.length + this.#lengths.length + this.#scores.length
    return this.vocabulary.byteLength + numbers * 4 + this.#frequencies.length
  }

  /** How many texts contain the stem. */
  frequency(stem: string): number {
    const term = this.vocabulary.find(stem)
    return term < 0 ? 0 : (this.#offsets[term + 1] ?? 0) - (this.#offsets[term] ?? 0)
  }

  /**
   * The best `count` texts for these stems by Okapi BM25 (Robertson and Zaragoza 2009). Rare stems are read first and
   * at most `maxPostings` entries in all, so that the cost does not grow with the number of texts.
   */
  search(stems: readonly string[], count: number, maxPostings: number): Scored[] {
    const terms = [...new Set(stems)]
      .map(stem => ({ term: this.vocabulary.find(stem), size: this.frequency(stem) }))
      .filter(({ size }) => size > 0)
      .sort((x, y) => x.size - y.size || x.term - y.term)
    const touched: number[] = []
    let left = maxPostings
    for (const { term, size } of terms) {
      if (size > left && touched.length > 0) break
      this.#addScores(term, Math.min(size, left), size, touched)
      left -= size
    }
    const top = new Top(count)
    for (const text of touched) {
      top.offer(text, this.#scores[text] ?? 0)
      this.#scores[text] = 0
    }
    return top.sorted()
  }

  #addScores(term: number, count: number, frequency: number, touched: number[]): void {
    const texts = this.#lengths.length
    const idf = Math.log(1 + (texts - frequency + 0.5) / (frequency + 0.5))
    const start = this.#offsets[term] ?? 0
    for (let at = start; at < start + count; at++) {
      const text = this.#texts[at] ?? 0
      const times = this.#frequencies[at] ?? 0
      const length = (this.#lengths[text] ?? 0) / this.#averageLength
      const before = this.#scores[text] ?? 0
      if (before === 0) touched.push(text)
      this.#scores[text] = before + (idf * times * (k1 + 1)) / (times + k1 * (1 - b + b * length))
    }
  }
}

interface Postings {
  offsets: Uint32Array
  texts: Uint32Array
  frequencies: Uint8Array
}

/** Collects texts for a `TextIndex`. */
export class TextIndexBuilder {
  readonly #vocabulary = new StringTable()
  /** Word → its stem's number, or -1 for stop words. */
  readonly #cache = new Map<string, number>()
  readonly #terms = new Uint32List()
  readonly #texts = new Uint32List()
  readonly #frequencies = new Uint32List()
  readonly #lengths = new Uint32List()

  /** Adds the next text; words of `title` count twice. */
  add(title: string, text: string): void {
    const counts = new Map<number, number>()
    const length = this.#count(title, 2, counts) + this.#count(text, 1, counts)
    const number = this.#lengths.length
    this.#lengths.push(length)
    for (const [term, times] of counts) {
      this.#terms.push(term)
      this.#texts.push(number)
      this.#frequencies.push(Math.min(times, maxFrequency))
    }
  }

  async build(pause: Pause): Promise<TextIndex> {
    const { offsets, items } = await groupByKey(this.#terms.toArray(), this.#vocabulary.size, pause)
    const frequencies = new Uint8Array(items.length)
    await inSteps(items.length, pause, at => {
      const posting = items[at] ?? 0
      frequencies[at] = this.#frequencies.at(posting)
      items[at] = this.#texts.at(posting)
    })
    return new TextIndex(this.#vocabulary, { offsets, texts: items, frequencies }, this.#lengths.toArray())
  }

  #count(text: string, times: number, counts: Map<number, number>): number {
    let length = 0
    for (const word of words(text)) {
      const term = this.#termOf(word)
      if (term < 0) continue
      length += times
      counts.set(term, (counts.get(term) ?? 0) + times)
    }
    return length
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
