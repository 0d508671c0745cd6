import { byScore, type Scored } from '../collections/top.js'
import type { SafeIndex } from '../index/safe-index.js'

/** Factor for each further passage of an entity, and its minimum. */
const OF_FURTHER = 0.9
const MIN_OF_FURTHER = 0.8
/** Weight of the best passage by words when no name can be trusted; the best by mass has 1. */
const WORD_SHARE = 0.25
const WORD_POWER = 2
/** Weight of the lead of the best passage by words, and its maximum result: just above the others. */
const LEAD_GAIN = 8
const ABOVE_ALL = 1 + 1e-6
/**
 * Minimum score at which the lead counts in full. Below it, forward push hardly reached the passage and words alone are
 * not enough.
 */
const WELL_REACHED = 0.25

/** The ranking of passages by words alone. */
interface WordRanking {
  /** Best passages first. */
  best: readonly Scored[]
  /** The information in the question's words: the score of a text with each of them once. */
  information: number
  /** How much of the question its names account for, 0 … 0.9; the rest is left to the words. */
  names: number
}

/**
 * Reorders passages scored by mass, best first: words contribute a little, and a passage that clearly leads
 * by words moves up.
 */
export function ordered(index: SafeIndex, byMass: Scored[], words: WordRanking): readonly Scored[] {
  return withLead(toOne(withWords(toOne(varied(index, byMass)), words)), words)
}

/** Each further passage of an entity gets a slightly lower score, so that one note does not fill the list. */
export function varied({ passages }: SafeIndex, scored: Scored[]): Scored[] {
  const before = new Map<number, number>()
  for (const found of scored) {
    const entity = passages.entity[found.id] ?? 0
    const count = before.get(entity) ?? 0
    before.set(entity, count + 1)
    if (count > 0) found.score *= Math.max(MIN_OF_FURTHER, OF_FURTHER ** count)
  }
  return before.size === scored.length ? scored : scored.sort(byScore)
}

/** Adds the scores by words, which decide between passages of similar mass. */
function withWords(scored: readonly Scored[], { best, names }: WordRanking): readonly Scored[] {
  const first = best[0]?.score ?? 0
  if (first === 0) return scored
  const weight = WORD_SHARE * (1 - names)
  const worth = new Map(best.map(({ id, score }) => [id, weight * (score / first) ** WORD_POWER]))
  const sums = scored.map(({ id, score }) => {
    const more = worth.get(id) ?? 0
    worth.delete(id)
    return { id, score: score + more }
  })
  for (const [id, score] of worth) sums.push({ id, score })
  return sums.sort(byScore)
}

/**
 * Moves the best passage by words up, at most to first place, depending on its lead over the second as a
 * share of the information in the question's words. Words unknown to the Safe count as well, so that the
 * words around a misspelled name do not decide.
 */
function withLead(ranked: readonly Scored[], { best, information }: WordRanking): readonly Scored[] {
  const [first, second] = best
  const from = ranked.findIndex(({ id }) => id === first?.id)
  const own = ranked[from]?.score ?? 0
  if (first === undefined || own === 0) return ranked
  const lead = (first.score - (second?.score ?? 0)) / information
  const raised = Math.min(own + LEAD_GAIN * lead * Math.min(1, own / WELL_REACHED), ABOVE_ALL)
  if (raised <= own) return ranked
  const found = { id: first.id, score: raised }
  const isBefore = (other: Scored | undefined) => other !== undefined && byScore(found, other) < 0
  let place = from
  while (isBefore(ranked[place - 1])) place--
  return ranked.toSpliced(from, 1).toSpliced(place, 0, found)
}

/** Scales the scores so that the best is 1. */
export function toOne(scored: readonly Scored[]): readonly Scored[] {
  const best = scored[0]?.score ?? 1
  return scored.map(({ id, score }) => ({ id, score: score / best }))
}
