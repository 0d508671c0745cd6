import {
  LanguageDetector,
  languageOfQuestion,
  WORDS_EXAMINED,
} from '../../engine/graph/text/languages/detect.js'
import { isStopWordIn, type Language, marksIn, stemIn } from '../../engine/graph/text/languages/language.js'
import { stemsIn } from '../../engine/graph/text/languages/stems.js'
import { arePair, foldWord, type Word, wordsAt } from '../../engine/graph/text/text.js'

const K1 = 1.2
const B = 0.75

/**
 * BM25 alone (Robertson and Zaragoza 2009), written separately from the product's so that it cannot be weakened with it: the
 * usual k1 1.2 and b 0.75, titles counted twice, the product's stems and stop lists, every posting read. Returns places
 * of passages, best first.
 */
export function bm25(
  passages: readonly { title: string; text: string }[],
): (question: string, count: number) => number[] {
  const detector = new LanguageDetector()
  const postings = new Map<string, Map<number, number>>()
  const lengths = passages.map(({ title, text }, at) => {
    const first = wordsAt(text).slice(0, WORDS_EXAMINED)
    const distinct = new Set(first.map(({ text }) => text))
    const language = detector.next([...distinct].map(marksIn))
    const ofTitle = stemsOfText(title, language)
    const stems = [...ofTitle, ...ofTitle, ...stemsOfText(text, language)]
    for (const stem of stems) {
      const texts = postings.get(stem) ?? new Map<number, number>()
      postings.set(stem, texts.set(at, (texts.get(at) ?? 0) + 1))
    }
    return stems.length
  })
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  return (question, count) => {
    const scores = new Map<number, number>()
    for (const stem of stemsOf(question, detector.languages())) {
      const texts = postings.get(stem) ?? new Map<number, number>()
      const idf = Math.log(1 + (passages.length - texts.size + 0.5) / (texts.size + 0.5))
      for (const [at, times] of texts) {
        const damped = times + K1 * (1 - B + (B * (lengths[at] ?? 0)) / average)
        scores.set(at, (scores.get(at) ?? 0) + (idf * times * (K1 + 1)) / damped)
      }
    }
    const best = [...scores].sort(([a, x], [b, y]) => y - x || a - b)
    return best.slice(0, count).map(([at]) => at)
  }
}

/** The stems of a text in its language, and the pairs of scripts without spaces. */
function stemsOfText(text: string, language: Language): string[] {
  const words = wordsAt(text)
  const stems = words
    .filter(({ text }) => !isStopWordIn(language, foldWord(language.bare(text))))
    .map(({ text }) => stemIn(language, text))
  return [...stems, ...pairsIn(words, language)]
}

const pairsIn = (words: readonly Word[], { bare }: Pick<Language, 'bare'> = { bare: word => word }) =>
  words.flatMap((word, at) => {
    const before = words[at - 1]
    return before && arePair(before, word) ? [foldWord(bare(before.text)) + foldWord(bare(word.text))] : []
  })

/** The stems of a question in each of the passages' languages, and the pairs of scripts without spaces. */
function stemsOf(question: string, known: Language[]): Set<string> {
  const words = wordsAt(question)
  const language = languageOfQuestion(
    words.map(({ text }) => text),
    known,
  )
  const stems = words
    .filter(({ text }) => !isStopWordIn(language, foldWord(text)))
    .flatMap(({ text }) => stemsIn(known, text))
  return new Set([...stems, ...pairsIn(words)])
}
