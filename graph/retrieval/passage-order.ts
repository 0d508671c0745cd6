import { byScore, type Scored } from '../collections/top.js'
import type { SafeIndex } from '../index/safe-index.js'

/** What each further passage of an entity counts less than the one before, and the least that is left. */
const ofFurther = 0.9
const leastOfFurther = 0.8
/** What the best passage by words gets for its words where no name can be trusted, beside 1 for the best by mass. */
const wordShare = 0.25
const wordPower = 2
/** How much the lead of the best passage by words counts, and the most it gets by that: just above the others. */
const leadGain = 8
const aboveAll = 1 + 1e-6
/** Score from which the lead counts in full: where forward push hardly comes, words are not all. */
const wellReached = 0.25

/** What words alone say of passages. */
export interface Words {
  /** The best passages, best first. */
  best: readonly Scored[]
  /** What the question's words could tell in all: what a text with each of them once scores. */
  information: number
  /** How much of the question belongs to its names, 0 … 0.9: the rest is left to the words. */
  names: number
}

/**
 * The order in which passages are told that have these scores by mass, best first: a little by their words as well, and
 * the one first that says by words what no other does.
 */
export function ordered(index: SafeIndex, byMass: Scored[], words: Words): readonly Scored[] {
  return withLead(toOne(withWords(toOne(varied(index, byMass)), words)), words)
}

/** The further passages of an entity behind its best one count a little less, so that one note does not fill the list. */
export function varied({ passages }: SafeIndex, scored: Scored[]): Scored[] {
  const before = new Map<number, number>()
  for (const found of scored) {
    const entity = passages.entity[found.id] ?? 0
    const count = before.get(entity) ?? 0
    before.set(entity, count + 1)
    if (count > 0) found.score *= Math.max(leastOfFurther, ofFurther ** count)
  }
  return before.size === scored.length ? scored : scored.sort(byScore)
}

/** Adds what words say: it decides between passages of about the same mass. */
function withWords(scored: readonly Scored[], { best, names }: Words): readonly Scored[] {
  const first = best[0]?.score ?? 0
  if (first === 0) return scored
  const weight = wordShare * (1 - names)
  const worth = new Map(best.map(({ id, score }) => [id, weight * (score / first) ** wordPower]))
  const sums = scored.map(({ id, score }) => {
    const more = worth.get(id) ?? 0
    worth.delete(id)
    return { id, score: score + more }
  })
  for (const [id, score] of worth) sums.push({ id, score })
  return sums.sort(byScore)
}

/**
 * The best passage by words moves up, to the first place at most: by how far it leads the second, as a share of all that
 * the question's words could tell. Words that the Safe does not have count as well, so that a name with a typo is not
 * decided by the words around it.
 */
function withLead(ranked: readonly Scored[], { best, information }: Words): readonly Scored[] {
  const [first, second] = best
  const own = ranked.find(({ id }) => id === first?.id)?.score ?? 0
  if (first === undefined || own === 0) return ranked
  const lead = (first.score - (second?.score ?? 0)) / information
  const raised = Math.min(own + leadGain * lead * Math.min(1, own / wellReached), aboveAll)
  if (raised <= own) return ranked
  const found = { id: first.id, score: raised }
  const others = ranked.filter(({ id }) => id !== first.id)
  const place = others.findIndex(other => byScore(found, other) < 0)
  others.splice(place < 0 ? others.length : place, 0, found)
  return others
}

/** Scores of which the best is 1. */
export function toOne(scored: readonly Scored[]): readonly Scored[] {
  const best = scored[0]?.score ?? 1
  return scored.map(({ id, score }) => ({ id, score: score / best }))
}
