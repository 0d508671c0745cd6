import { itemsOf } from '../collections/groups.js'
import { factCount, outgoingOf, type SafeIndex } from '../index/safe-index.js'

/** Relations of one entity that are read. */
const READ = 200
/** Entities with more relations than this are related to nearly everything, and say nothing. */
const HUB = 1_000

/** The entities to which both are related. */
export function commonNeighbours(index: SafeIndex, one: number, other: number): number[] {
  const near = neighboursOf(index, one)
  return [...neighboursOf(index, other)].filter(entity => near.has(entity) && factCount(index, entity) <= HUB)
}

function neighboursOf({ facts }: SafeIndex, entity: number): Set<number> {
  const { start, end } = outgoingOf(facts, entity)
  const near = new Set(facts.object.subarray(start, Math.min(end, start + READ)))
  for (const fact of itemsOf(facts.incoming, entity).subarray(0, READ)) near.add(facts.subject[fact] ?? 0)
  near.delete(entity)
  return near
}
