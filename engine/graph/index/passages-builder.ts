import { groupByKey } from '../collections/groups.js'
import type { Pause } from '../collections/pause.js'
import { TripleTable } from '../collections/triple-table.js'
import { Uint32List } from '../collections/uint32-list.js'
import { LanguageDetector } from '../text/languages/detect.js'
import type { Language } from '../text/languages/language.js'
import { JOINED, PAIRED, spellingIn, type Vocabulary } from '../text/lexicon.js'
import type { TextIndex } from './bm25.js'
import { type Layers, PASSAGE_HEAD } from './layers.js'
import { PassageWords } from './passage-words.js'
import { RowList } from './row-list.js'
import { type Passages, tagOf } from './safe-index.js'
import { TextIndexBuilder } from './text-index-builder.js'

/** Words of a title that are kept beside those of its passage. */
const MAX_TITLED = 255

/** Times of passages, NaN for none, with how many there are, the first and the last; an empty list if there are none. */
export function timesOf(times: Float64Array): Pick<Passages, 'times' | 'timed' | 'first' | 'last'> {
  const known = times.filter(time => !Number.isNaN(time))
  if (known.length === 0) return { times: new Float64Array(), timed: 0, first: 0, last: 0 }
  const [first, last] = [Math.min, Math.max].map(better => known.reduce((one, other) => better(one, other)))
  return { times, timed: known.length, first: first ?? 0, last: last ?? 0 }
}

/** Passages, each once with all its rows, and the words in them. */
export class PassagesBuilder {
  readonly #layers: Layers
  /** Entity and two hashes of time and text, which identify equal passages of several imports. */
  readonly #passages = new TripleTable()
  readonly #rows = new RowList()
  readonly #times: number[] = []
  readonly #text: TextIndexBuilder
  /** Stem as in `Vocabulary` → its number in the text index + 1. */
  readonly #termOf = new Uint32List()
  readonly #detector: LanguageDetector
  readonly #words: Uint32List
  readonly #wordOffsets = new Uint32List()
  readonly #titled = new Uint32List()
  /** The words of the passage that was added last. */
  readonly latest = new PassageWords()

  /** @param main the language of the passages before these, if there are any */
  constructor(layers: Layers, main?: Language) {
    this.#layers = layers
    this.#detector = new LanguageDetector(main)
    // Passages consist almost of words alone.
    const words = layers.passages.byteLength / Uint32Array.BYTES_PER_ELEMENT
    this.#text = new TextIndexBuilder(words)
    this.#words = new Uint32List(words)
  }

  get size(): number {
    return this.#passages.size
  }

  /** Adds the row that begins at `at` and ends before `end`. Returns the passage's number if it is a new one, else null. */
  add(entity: number, importId: number, numbers: Uint32Array, at: number, end: number): number | null {
    const { size } = this.#passages
    const passage = this.#passages.add(entity, numbers[at + 2] ?? 0, numbers[at + 3] ?? 0)
    this.#rows.add(passage, { importId, id: numbers[at] ?? 0 })
    if (passage < size) return null
    this.#times.push(this.#layers.timeOf(numbers, at))
    const title = at + PASSAGE_HEAD
    this.#addText(numbers, title, title + (numbers[at + 6] ?? 0), end)
    return passage
  }

  /** The languages of the passages. */
  languages(): Language[] {
    return this.#detector.languages()
  }

  /** Stem → number of passages with it. */
  frequencies(): Uint32Array {
    return this.#text.frequencies()
  }

  async build(entities: number, pause: Pause): Promise<{ passages: Passages; text: TextIndex }> {
    const entity = this.#passages.first.toArray()
    this.#wordOffsets.push(this.#words.length)
    const passages = {
      count: entity.length,
      gone: 0,
      entity,
      about: await groupByKey(entity, entities, pause),
      offsets: this.#wordOffsets.toArray(),
      words: new Uint16Array(this.#words.view()),
      titled: Buffer.from(this.#titled.view()),
      ...timesOf(Float64Array.from(this.#times)),
      rows: this.#rows.build(),
    }
    return { passages, text: await this.#text.build(pause) }
  }

  /** A title and, after it, a text, in the language of the text. */
  #addText(words: Uint32Array, title: number, from: number, to: number): void {
    const { lexicon } = this.#layers
    const vocabulary = lexicon.in(this.#detector.next(lexicon.marksOf(words, from, to)))
    const { stems, folded, properties } = vocabulary
    const { latest: read } = this
    read.reserve(to - from)
    this.#wordOffsets.push(this.#words.length)
    for (let at = from; at < to; at++) {
      const word = words[at] ?? 0
      const spelling = spellingIn(word)
      const term = this.#term(stems[spelling] || vocabulary.lookUp(spelling))
      this.#text.addTerm(term)
      this.#words.push(term < 0 ? 0 : tagOf(term))
      read.terms[read.length] = term
      read.folded[read.length] = folded[spelling] ?? 0
      read.properties[read.length] = properties[spelling] ?? 0
      read.joined[read.length++] = word & JOINED
    }
    this.#addPairs(words, from, to, vocabulary, 1)
    let titled = 0
    for (let at = title; at < from; at++) {
      const spelling = spellingIn(words[at] ?? 0)
      const term = this.#term(stems[spelling] || vocabulary.lookUp(spelling))
      this.#text.addTerm(term, 2)
      if (term < 0 || titled === MAX_TITLED) continue
      this.#words.push(tagOf(term))
      titled++
    }
    this.#titled.push(titled)
    this.#addPairs(words, title, from, vocabulary, 2)
    this.#text.end()
  }

  #addPairs(words: Uint32Array, from: number, to: number, { folded }: Vocabulary, times: number): void {
    for (let at = from + 1; at < to; at++) {
      if (((words[at] ?? 0) & PAIRED) === 0) continue
      const first = folded[spellingIn(words[at - 1] ?? 0)] ?? 0
      const second = folded[spellingIn(words[at] ?? 0)] ?? 0
      const pair = this.#layers.lexicon.pairOf(first, second)
      this.#text.addTerm(this.#term(pair + 2), times)
    }
  }

  /** The number in the text index of a stem as in `Vocabulary`; -1 for a stop word. */
  #term(stem: number): number {
    if (stem === 1) return -1
    const known = stem < this.#termOf.length ? this.#termOf.at(stem) : 0
    return known > 0 ? known - 1 : this.#newTerm(stem)
  }

  #newTerm(stem: number): number {
    while (this.#termOf.length <= stem) this.#termOf.push(0)
    const term = this.#text.stemNumber(this.#layers.lexicon.stems.at(stem - 2))
    this.#termOf.set(stem, term + 1)
    return term
  }
}
