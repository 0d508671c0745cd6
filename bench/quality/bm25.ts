import { languageOfQuestion } from '../../graph/text/languages/detect.js'
import { isStopWordIn } from '../../graph/text/languages/language.js'
import { stemsIn } from '../../graph/text/languages/stems.js'
import { Lexicon } from '../../graph/text/lexicon.js'
import { arePair, foldWord, wordsAt } from '../../graph/text/text.js'

const k1 = 1.2
const b = 0.75

/**
 * BM25 alone (Robertson and Zaragoza 2009), written apart from the product's so that it cannot be weakened with it: the
 * usual k1 1.2 and b 0.75, titles counted twice, the product's stems and stop lists, every posting read. Returns places
 * of passages, best first.
 */
export function bm25(
  passages: readonly { title: string; text: string }[],
): (question: string, count: number) => number[] {
  const numbers = new Map<string, number>()
  const numberOf = (stem: string): number => {
    const number = numbers.get(stem) ?? numbers.size
    numbers.set(stem, number)
    return number
  }
  const lexicon = new Lexicon(numberOf, () => 0)
  const postings = new Map<number, Map<number, number>>()
  const lengths = passages.map(({ title, text }, at) => {
    const { lexemes, pairs } = lexicon.read(text)
    const ofTitle = lexicon.termsOf(title)
    const stems = [...ofTitle, ...ofTitle, ...pairs, ...lexemes.map(({ term }) => term)].filter(
      stem => stem >= 0,
    )
    for (const stem of stems) {
      const texts = postings.get(stem) ?? new Map<number, number>()
      postings.set(stem, texts.set(at, (texts.get(at) ?? 0) + 1))
    }
    return stems.length
  })
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  return (question, count) => {
    const scores = new Map<number, number>()
    for (const stem of stemsOf(question, lexicon)) {
      const texts = postings.get(numbers.get(stem) ?? -1) ?? new Map<number, number>()
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

/** The stems of a question in each of the passages' languages, and the pairs of scripts without spaces. */
function stemsOf(question: string, lexicon: Lexicon): Set<string> {
  const known = lexicon.languages()
  const words = wordsAt(question)
  const language = languageOfQuestion(
    words.map(({ text }) => text),
    known,
  )
  const stems = words
    .filter(({ text }) => !isStopWordIn(language, foldWord(text)))
    .flatMap(({ text }) => stemsIn(known, text))
  const pairs = words.flatMap((word, at) => {
    const before = words[at - 1]
    return before && arePair(before, word) ? [foldWord(before.text) + foldWord(word.text)] : []
  })
  return new Set([...stems, ...pairs])
}
