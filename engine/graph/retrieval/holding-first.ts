import type { Scored } from '../collections/top.js'
import type { SafeIndex } from '../index/safe-index.js'
import type { LinkedQuestion } from './link.js'

/**
 * Puts current facts before ended ones, for questions without a time: of the facts with the same relation of an entity
 * that the question names ("Ada lives in", "leads the harbour"), those without an end take the best places, then those
 * that ended last. Other facts keep their places.
 */
export function holdingFirst(
  index: SafeIndex,
  { links }: LinkedQuestion,
  ranked: readonly Scored[],
): readonly Scored[] {
  const { subject, predicate, object, periods } = index.facts
  if (periods.of.length === 0) return ranked
  const endOf = (fact: number) => periods.to[periods.of[fact] ?? 0] ?? Number.POSITIVE_INFINITY
  const named = new Set(links.map(({ entity }) => entity))
  const groupOf = (end: Uint32Array, fact: number) =>
    named.has(end[fact] ?? 0) ? `${end[fact]} ${predicate[fact]}` : null
  const bySubject = inOrderOfEnd(ranked, fact => groupOf(subject, fact), endOf)
  return inOrderOfEnd(bySubject, fact => groupOf(object, fact), endOf)
}

/** Orders the facts of each group by their ends, the latest first, in the places that the group has. */
function inOrderOfEnd(
  ranked: readonly Scored[],
  groupOf: (fact: number) => string | null,
  endOf: (fact: number) => number,
): readonly Scored[] {
  const placesOf = new Map<string, number[]>()
  for (const [place, { id }] of ranked.entries()) {
    const group = groupOf(id)
    if (group === null) continue
    const places = placesOf.get(group)
    if (places) places.push(place)
    else placesOf.set(group, [place])
  }
  const ordered = [...ranked]
  for (const places of placesOf.values()) {
    if (places.length === 1) continue
    const facts = places.map(place => ranked[place]?.id ?? 0)
    const byEnd = facts.toSorted((a, b) => (endOf(a) === endOf(b) ? 0 : endOf(b) - endOf(a)))
    for (const [at, place] of places.entries())
      ordered[place] = { id: byEnd[at] ?? 0, score: ranked[place]?.score ?? 0 }
  }
  return ordered
}
