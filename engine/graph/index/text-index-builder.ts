import { inSteps } from '../collections/groups.js'
import { memoize } from '../collections/memoize.js'
import type { Pause } from '../collections/pause.js'
import { StringsBuilder } from '../collections/strings.js'
import { Uint32List } from '../collections/uint32-list.js'
import type { Language } from '../text/languages/language.js'
import { StemReader } from '../text/languages/stems.js'
import { isStopWord, stem } from '../text/text.js'
import type { TextIndex } from './bm25.js'
import { PostingsBuilder } from './postings.js'

/** Words whose stems are remembered while texts are added. */
const REMEMBERED = 100_000

/** An index over short texts by their stems in all of the Safe's languages. */
export async function textIndexOf(
  languages: readonly Language[],
  count: number,
  textAt: (number: number) => string,
  pause: Pause,
): Promise<TextIndex> {
  const builder = new TextIndexBuilder()
  const reader = new StemReader(languages, REMEMBERED)
  await inSteps(count, pause, at => {
    for (const stems of reader.termsIn(textAt(at))) builder.addStems(stems)
    builder.end()
  })
  return builder.build(pause)
}

/** Collects texts for a `TextIndex`. */
export class TextIndexBuilder {
  readonly #vocabulary = new StringsBuilder()
  /** The number of a folded word's English stem, or -1 for a stop word. */
  readonly #termOf = memoize(word => (isStopWord(word) ? -1 : this.stemNumber(stem(word))), {
    most: REMEMBERED,
  })
  readonly #postings: PostingsBuilder
  readonly #lengths = new Uint32List()
  /** How often each stem is in the text that `end` completes, and which stems are. */
  readonly #times = new Uint32List()
  readonly #found: number[] = []
  #length = 0

  /** `capacity`: how many words are expected. */
  constructor(capacity?: number) {
    this.#postings = new PostingsBuilder(capacity)
  }

  /** Adds folded English words to the text that `end` completes. */
  add(words: readonly string[], times = 1): void {
    for (const word of words) this.addTerm(this.#termOf(word), times)
  }

  /** Adds a stem by number to the text that `end` completes; ignores stop words (-1). */
  addTerm(term: number, times = 1): void {
    if (term < 0) return
    this.#length += times
    const before = this.#times.at(term)
    if (before === 0) this.#found.push(term)
    this.#times.set(term, before + times)
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
    for (const term of this.#found) {
      this.#postings.add(term, text, Math.min(this.#times.at(term), 0xff))
      this.#times.set(term, 0)
    }
    this.#lengths.push(Math.min(this.#length, 0xffff))
    this.#found.length = 0
    this.#length = 0
  }

  async build(pause: Pause): Promise<TextIndex> {
    const postings = await this.#postings.build(this.#vocabulary.size, pause)
    const lengths = new Uint16Array(this.#lengths.view())
    const total = lengths.reduce((sum, length) => sum + length, 0)
    const averageLength = Math.max(1, total / (lengths.length || 1))
    return { vocabulary: this.#vocabulary.build(), postings, lengths, averageLength, gone: new Uint8Array() }
  }

  stemNumber(stem: string): number {
    const term = this.#vocabulary.add(stem)
    if (term === this.#times.length) this.#times.push(0)
    return term
  }

  /** Stem → number of completed texts with it. */
  frequencies(): Uint32Array {
    return this.#postings.counts(this.#vocabulary.size)
  }
}
