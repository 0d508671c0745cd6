import { memoize } from '../collections/memoize.js'
import { StemCaches } from '../text/languages/stems.js'
import { stem } from '../text/text.js'
import { Unpacked } from './postings.js'

/** Edges of one node that are followed: 300 of each of four kinds. */
export const EDGES_OF_NODE = 1_200

/**
 * Reusable memory for computing answers. Questions are answered synchronously, so all indexes of a thread can
 * share one: it is as large as the largest of them needs.
 */
export class Workspace {
  /** Residual and mass of each node in forward push. */
  readonly nodes = new Scratch()
  /** Targets and weights of the edges of one node. */
  readonly targets = new Uint32Array(EDGES_OF_NODE)
  readonly weights = new Float64Array(EDGES_OF_NODE)
  /** Scores of names similar to one in the question. */
  readonly names = new Scratch()
  /** Trigrams that a string shares with a misspelled word. */
  readonly trigrams = new Scratch()
  /** Scores of texts, by the words of the question and by other words. */
  readonly texts = { question: new TextSheet(), beside: new TextSheet() }
  readonly unpacked = new Unpacked()
  /** `stem` with a cache. */
  readonly stem = memoize(stem)
  readonly stems = new StemCaches()
}

/** Buffers for the scores of texts: by all words, and by some of them. */
class TextSheet {
  readonly all = new Scratch()
  readonly apart = new Scratch()
  /** Texts with a score. */
  touched = new Uint32Array(10_000)

  reserve(size: number): void {
    if (size <= this.touched.length) return
    const larger = new Uint32Array(2 * size)
    larger.set(this.touched)
    this.touched = larger
  }
}

/** A reusable array of numbers, all zeros between uses. */
class Scratch {
  #numbers = new Float32Array(0)

  /** Returns at least `size` zeros. Callers must restore the zeros, also after an error. */
  take(size: number): Float32Array {
    if (size > this.#numbers.length) this.#numbers = new Float32Array(Math.ceil(size * 1.25))
    return this.#numbers
  }
}
