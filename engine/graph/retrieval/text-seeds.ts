import { type Scored, Top } from '../collections/top.js'
import { scoreText, type TextScores } from '../index/bm25.js'
import type { SafeIndex } from '../index/safe-index.js'

/** Weight of neighbouring passages' scores. */
const BESIDE_SHARE = 0.2
/** Maximum weight of scores by other words. */
const OTHER_SHARE = 0.5
const MAX_OTHER_POSTINGS = 10_000

/** Scores of passages by words; 0 for most. */
export interface WordScores {
  /** Calls `visit` once for each passage that has a score. */
  each(visit: (passage: number) => void): void
  of(passage: number): number
}

/**
 * Calls `use` with the scores by the question's words and, with less weight, by other words from the
 * assistant: Q + w · A with w = ½, or less where that would outweigh the question (GRAPH §3.4).
 */
export function withOtherWords<T>(
  index: SafeIndex,
  phrases: readonly string[],
  use: (scoresWith: (question: TextScores) => WordScores) => T,
): T {
  const cache = index.workspace.stems.of(index.languages)
  const stems = phrases.flatMap(phrase => cache.termsIn(phrase).flat())
  if (stems.length === 0) return use(alone)
  const readOthers = (others: TextScores) => use(question => together(question, others))
  return scoreText(index.workspace, index.text, stems, MAX_OTHER_POSTINGS, readOthers, {
    partial: true,
    sheet: 'beside',
  })
}

function alone({ all, texts }: TextScores): WordScores {
  return {
    each(visit) {
      for (const text of texts) visit(text)
    },
    of: passage => all[passage] ?? 0,
  }
}

function together(question: TextScores, others: TextScores): WordScores {
  // If the Safe has none of the question's words, the other words decide.
  const weight = question.best === 0 ? OTHER_SHARE : Math.min(OTHER_SHARE, question.best / (others.best || 1))
  return {
    each(visit) {
      for (const text of question.texts) visit(text)
      for (const text of others.texts) if ((question.all[text] ?? 0) === 0) visit(text)
    },
    of: passage => (question.all[passage] ?? 0) + weight * (others.all[passage] ?? 0),
  }
}

/** The best `count` passages by their words and, with less weight, by those of their neighbours. */
export function bestPassages(
  index: SafeIndex,
  scores: WordScores,
  count: number,
  isWanted: (passage: number) => boolean,
): Scored[] {
  const { entity } = index.passages
  const top = new Top(count)
  scores.each(passage => {
    if (!isWanted(passage)) return
    let beside = 0
    if (passage > 0 && entity[passage - 1] === entity[passage]) beside += scores.of(passage - 1)
    if (entity[passage + 1] === entity[passage]) beside += scores.of(passage + 1)
    top.offer(passage, scores.of(passage) + BESIDE_SHARE * beside)
  })
  return top.sorted()
}
