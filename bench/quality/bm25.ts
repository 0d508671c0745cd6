import { terms } from '../../graph/text.js'
import type { Retriever, SetPassage } from './question-set.js'

const k1 = 0.9
const b = 0.4

/**
 * BM25 alone (Robertson and Zaragoza 2009), written apart from the product's so that it cannot be weakened with it: the
 * usual k1 0.9 and b 0.4, titles counted twice, the product's stems and stop list, every posting read.
 */
export function bm25(passages: readonly SetPassage[]): Retriever {
  const postings = new Map<string, Map<number, number>>()
  const lengths = passages.map(({ title, text }, at) => {
    const stems = terms(`${title} ${title} ${text}`)
    for (const stem of stems) {
      const texts = postings.get(stem) ?? new Map<number, number>()
      postings.set(stem, texts.set(at, (texts.get(at) ?? 0) + 1))
    }
    return stems.length
  })
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  return (question, count) => {
    const scores = new Map<number, number>()
    for (const stem of new Set(terms(question))) {
      const texts = postings.get(stem) ?? new Map<number, number>()
      const idf = Math.log(1 + (passages.length - texts.size + 0.5) / (texts.size + 0.5))
      for (const [at, times] of texts) {
        const damped = times + k1 * (1 - b + (b * (lengths[at] ?? 0)) / average)
        scores.set(at, (scores.get(at) ?? 0) + (idf * times * (k1 + 1)) / damped)
      }
    }
    const best = [...scores].sort(([a, x], [b, y]) => y - x || a - b)
    return best.slice(0, count).map(([at]) => at)
  }
}
