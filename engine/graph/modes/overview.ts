import { stringAt } from '../collections/strings.js'
import { type Scored, Top } from '../collections/top.js'
import { Uint32List } from '../collections/uint32-list.js'
import { factCount, type SafeIndex } from '../index/safe-index.js'
import { typeTest } from '../retrieval/find-entity.js'
import { factInPart, type PassageSet } from '../retrieval/part.js'
import type { OverviewSummary } from '../retrieval/summary.js'

/** What an overview is of: the whole Safe, or a part of it. */
interface OverviewScope {
  entities: Uint32Array
  /** The predicate of each fact. */
  predicates: Uint32Array
  passages: number
  /** How well an entity is connected. */
  degreeOf(entity: number): number
}

/**
 * Mode `overview` (GRAPH §4): enough to know what can be asked, of a Safe or of what the passages of a part are about and
 * what came with them. With types, only entities of these types, or the existing types if there are none. Hubs are ranked
 * by relations, or by mentions if there are no relations. Takes a few milliseconds for a million facts.
 */
export function overview(
  index: SafeIndex,
  count = 10,
  onlyTypes: readonly string[] = [],
  part?: PassageSet,
): OverviewSummary {
  const scope = part ? partOf(index, part) : wholeOf(index)
  const wanted = onlyTypes.length === 0 ? scope.entities : scope.entities.filter(typeTest(index, onlyTypes))
  const typeOf = scope.entities.map(entity => index.typeOf[entity] ?? 0)
  const types = commonest(typeOf, index.types.size, count + 1)
  const predicates = commonest(scope.predicates, index.predicates.size, count)
  const top = new Top(count)
  for (const entity of wanted) top.offer(entity, scope.degreeOf(entity))
  const hubs = top.sorted()
  const isOfTypes = onlyTypes.length > 0 && wanted.length > 0
  const nameOf = (entity: number) => stringAt(index.entities, entity)
  return {
    kind: 'overview',
    only: onlyTypes.length === 0 ? null : { types: [...onlyTypes], entities: wanted.length },
    counts: {
      entities: scope.entities.length,
      facts: scope.predicates.length,
      passages: scope.passages,
      // Number 0 means no type.
      types: types.kinds - Number(typeOf.includes(0)),
      predicates: predicates.kinds,
    },
    types: (isOfTypes ? [] : types.best)
      .filter(({ id }) => id > 0)
      .slice(0, count)
      .map(({ id, score }) => ({ type: stringAt(index.types, id), count: score })),
    predicates: (isOfTypes ? [] : predicates.best).map(({ id, score }) => ({
      predicate: stringAt(index.predicates, id),
      count: score,
    })),
    hubs: hubs.map(({ id, score }) => ({ name: nameOf(id), degree: score })),
    samples: samples(wanted, new Set(hubs.map(({ id }) => id)), count, part !== undefined).map(nameOf),
  }
}

function wholeOf(index: SafeIndex): OverviewScope {
  const { facts, passages, isNamed, degrees } = index
  return {
    entities: numbersWith(isNamed.length, entity => isNamed[entity] === 1),
    predicates: facts.predicate,
    passages: passages.count - passages.gone,
    degreeOf: entity => (facts.count > 0 ? factCount(index, entity) : (degrees[entity] ?? 0)),
  }
}

/** The entities of a part are connected by its facts, or by its passages where there are none. */
function partOf(index: SafeIndex, part: PassageSet): OverviewScope {
  const { facts, passages, isNamed } = index
  const found = numbersWith(facts.count, factInPart(index, part))
  const degrees = new Map<number, number>()
  const add = (entity = 0, more = 1) => degrees.set(entity, (degrees.get(entity) ?? 0) + more)
  for (let passage = 0; passage < passages.count; passage++)
    if (part.passages[passage] === 1) add(passages.entity[passage], found.length === 0 ? 1 : 0)
  for (const fact of found) for (const end of [facts.subject[fact], facts.object[fact]]) add(end)
  return {
    entities: Uint32Array.from(degrees.keys()).filter(entity => isNamed[entity] === 1),
    predicates: found.map(fact => facts.predicate[fact] ?? 0),
    passages: part.count,
    degreeOf: entity => degrees.get(entity) ?? 0,
  }
}

/** The numbers below `below` that satisfy the condition. */
function numbersWith(below: number, isTrue: (number: number) => boolean): Uint32Array {
  const found = new Uint32List()
  for (let number = 0; number < below; number++) if (isTrue(number)) found.push(number)
  return found.toArray()
}

/** Entities that are spread evenly, without the hubs; those of a part among the others. */
function samples(entities: Uint32Array, hubs: ReadonlySet<number>, count: number, isPart: boolean): number[] {
  const among = isPart ? entities.filter(entity => !hubs.has(entity)) : entities
  const every = isPart ? Math.ceil(among.length / count) : among.length / count
  const found: number[] = []
  for (let at = 0; at < among.length && found.length < count; at++) {
    const entity = among[at] ?? 0
    if (at >= found.length * every && !hubs.has(entity)) found.push(entity)
  }
  return found
}

/** The most frequent of these numbers, which are below `below`, and how many different ones there are. */
function commonest(values: Uint32Array, below: number, count: number): { kinds: number; best: Scored[] } {
  const counts = new Uint32Array(below)
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  const top = new Top(count)
  let kinds = 0
  for (const [kind, often] of counts.entries()) {
    if (often === 0) continue
    kinds++
    top.offer(kind, often)
  }
  return { kinds, best: top.sorted() }
}
