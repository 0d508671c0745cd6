import { sizeOf } from '../collections/groups.js'
import { stringAt } from '../collections/strings.js'
import { type Scored, Top } from '../collections/top.js'
import type { Facts, SafeIndex } from '../index/safe-index.js'
import { typeTest } from '../retrieval/find-entity.js'
import type { OverviewSummary } from '../retrieval/summary.js'

/**
 * Mode `overview` (GRAPH §4): enough to know what can be asked. With types, only entities of these types, or
 * the existing types if there are none. Hubs are ranked by relations, or by mentions if there are no
 * relations. Takes a few milliseconds for a million facts.
 */
export function overview(index: SafeIndex, count = 10, onlyTypes: readonly string[] = []): OverviewSummary {
  const { facts, isNamed, named, degrees, types, predicates } = index
  const wanted = onlyTypes.length === 0 ? () => true : typeTest(index, onlyTypes)
  const top = new Top(count)
  let candidates = 0
  for (let entity = 0; entity < isNamed.length; entity++) {
    if (isNamed[entity] !== 1 || !wanted(entity)) continue
    top.offer(entity, facts.count > 0 ? relationsOf(facts, entity) : (degrees[entity] ?? 0))
    candidates++
  }
  const hubs = top.sorted()
  const isOfTypes = onlyTypes.length > 0 && candidates > 0
  return {
    kind: 'overview',
    only: onlyTypes.length === 0 ? null : { types: [...onlyTypes], entities: candidates },
    counts: {
      entities: named,
      facts: facts.count,
      passages: index.passages.count - index.passages.gone,
      types: types.size - 1,
      predicates: predicates.size,
    },
    types: isOfTypes ? [] : typesOf(index, count),
    predicates: isOfTypes ? [] : predicatesOf(index, count),
    hubs: hubs.map(({ id, score }) => ({ name: stringAt(index.entities, id), degree: score })),
    samples: samples(index, wanted, hubs, count, candidates / count),
  }
}

/** Like `factCount`, but without allocating an object per entity. */
function relationsOf({ outgoing, incoming }: Facts, entity: number): number {
  return (outgoing[entity + 1] ?? 0) - (outgoing[entity] ?? 0) + sizeOf(incoming, entity)
}

function typesOf({ typeOf, types }: SafeIndex, count: number): OverviewSummary['types'] {
  return commonest(typeOf, types.size, count + 1)
    .filter(({ id }) => id > 0)
    .slice(0, count)
    .map(({ id, score }) => ({ type: stringAt(types, id), count: score }))
}

function predicatesOf({ facts, predicates }: SafeIndex, count: number): OverviewSummary['predicates'] {
  return commonest(facts.predicate, predicates.size, count).map(({ id, score }) => ({
    predicate: stringAt(predicates, id),
    count: score,
  }))
}

/** Keys of entities spread over the whole Safe, without the hubs. */
function samples(
  { isNamed, entities }: SafeIndex,
  wanted: (entity: number) => boolean,
  hubs: Scored[],
  count: number,
  every: number,
): string[] {
  const isHub = new Set(hubs.map(({ id }) => id))
  const found: string[] = []
  for (let entity = 0, seen = 0; entity < isNamed.length && found.length < count; entity++) {
    if (isNamed[entity] !== 1 || !wanted(entity) || seen++ < found.length * every || isHub.has(entity))
      continue
    found.push(stringAt(entities, entity))
  }
  return found
}

/** The most frequent of these numbers, which are below `kinds`. */
export function commonest(values: Iterable<number>, kinds: number, count: number): Scored[] {
  const counts = new Uint32Array(kinds)
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  const top = new Top(count)
  for (let kind = 0; kind < kinds; kind++) if ((counts[kind] ?? 0) > 0) top.offer(kind, counts[kind] ?? 0)
  return top.sorted()
}
