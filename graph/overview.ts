import { typeTest } from './find-entity.js'
import type { SafeIndex } from './safe-index.js'
import { stringAt } from './strings.js'
import type { OverviewSummary } from './summary.js'
import { type Scored, Top } from './top.js'

/**
 * Mode `overview` (GRAPH §4): enough to know what can be asked. With types, hubs and samples are of these only. Reads
 * two numbers a thing: about a millisecond for a million facts.
 */
export function overview(index: SafeIndex, count = 10, onlyTypes: readonly string[] = []): OverviewSummary {
  const { facts, named, degrees, types, typeOf, predicates } = index
  const wanted = onlyTypes.length === 0 ? () => true : typeTest(index, onlyTypes)
  const top = new Top(count)
  let candidates = 0
  for (let entity = 0; entity < named; entity++) {
    if (!wanted(entity)) continue
    top.offer(entity, degrees[entity] ?? 0)
    candidates++
  }
  const hubs = top.sorted()
  return {
    kind: 'overview',
    counts: {
      entities: named,
      facts: facts.count,
      passages: index.passages.count,
      types: types.size - 1,
      predicates: predicates.size,
    },
    types: commonest(typeOf.subarray(0, named), types.size, count + 1)
      .filter(({ id }) => id > 0)
      .slice(0, count)
      .map(({ id, score }) => ({ type: stringAt(types, id), count: score })),
    predicates: commonest(facts.predicate, predicates.size, count).map(({ id, score }) => ({
      predicate: stringAt(predicates, id),
      count: score,
    })),
    hubs: hubs.map(({ id, score }) => ({ name: stringAt(index.entities, id), degree: score })),
    samples: samples(index, wanted, hubs, count, candidates / count),
  }
}

/** Keys of entities from all over the Safe, other than the hubs. */
function samples(
  { named, entities }: SafeIndex,
  wanted: (entity: number) => boolean,
  hubs: Scored[],
  count: number,
  every: number,
): string[] {
  const isHub = new Set(hubs.map(({ id }) => id))
  const found: string[] = []
  for (let entity = 0, seen = 0; entity < named && found.length < count; entity++) {
    if (!wanted(entity) || seen++ < found.length * every || isHub.has(entity)) continue
    found.push(stringAt(entities, entity))
  }
  return found
}

function commonest(values: Uint32Array, kinds: number, count: number): Scored[] {
  const counts = new Uint32Array(kinds)
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  const top = new Top(count)
  for (let kind = 0; kind < kinds; kind++) if ((counts[kind] ?? 0) > 0) top.offer(kind, counts[kind] ?? 0)
  return top.sorted()
}
