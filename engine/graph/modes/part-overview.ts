import { stringAt } from '../collections/strings.js'
import { Top } from '../collections/top.js'
import type { SafeIndex } from '../index/safe-index.js'
import { typeTest } from '../retrieval/find-entity.js'
import { factInPart, type Part } from '../retrieval/part.js'
import type { OverviewSummary } from '../retrieval/summary.js'
import { commonest } from './overview.js'

/** Mode `overview` of a part of a Safe: what its passages are about, and what came with them. */
export function partOverview(
  index: SafeIndex,
  part: Part,
  count: number,
  onlyTypes: readonly string[],
): OverviewSummary {
  const isWanted = onlyTypes.length === 0 ? () => true : typeTest(index, onlyTypes)
  const facts = factsIn(index, part)
  const degrees = degreesIn(index, part, facts)
  const entities = [...degrees.keys()].filter(entity => index.isNamed[entity] === 1)
  const wanted = entities.filter(isWanted)
  const types = commonest(
    entities.map(entity => index.typeOf[entity] ?? 0),
    index.types.size,
    index.types.size,
  ).filter(({ id }) => id > 0)
  const predicates = commonest(
    facts.map(fact => index.facts.predicate[fact] ?? 0),
    index.predicates.size,
    index.predicates.size,
  )
  const top = new Top(count)
  for (const entity of wanted) top.offer(entity, degrees.get(entity) ?? 0)
  const hubs = top.sorted()
  const isHub = new Set(hubs.map(({ id }) => id))
  const others = wanted.filter(entity => !isHub.has(entity))
  const isOfTypes = onlyTypes.length > 0 && wanted.length > 0
  const nameOf = (entity: number) => stringAt(index.entities, entity)
  return {
    kind: 'overview',
    only: onlyTypes.length === 0 ? null : { types: [...onlyTypes], entities: wanted.length },
    counts: {
      entities: entities.length,
      facts: facts.length,
      passages: part.count,
      types: types.length,
      predicates: predicates.length,
    },
    types: isOfTypes
      ? []
      : types.slice(0, count).map(({ id, score }) => ({ type: stringAt(index.types, id), count: score })),
    predicates: isOfTypes
      ? []
      : predicates
          .slice(0, count)
          .map(({ id, score }) => ({ predicate: stringAt(index.predicates, id), count: score })),
    hubs: hubs.map(({ id, score }) => ({ name: nameOf(id), degree: score })),
    samples: others
      .filter((_, at) => at % Math.ceil(others.length / count || 1) === 0)
      .slice(0, count)
      .map(nameOf),
  }
}

function factsIn(index: SafeIndex, part: Part): number[] {
  const isIn = factInPart(index, part)
  const found: number[] = []
  for (let fact = 0; fact < index.facts.count; fact++) if (isIn(fact)) found.push(fact)
  return found
}

/** What the part is about, with its connections there: facts, or passages where there are none. */
function degreesIn(
  { passages, facts }: SafeIndex,
  part: Part,
  ofPart: readonly number[],
): Map<number, number> {
  const degrees = new Map<number, number>()
  const add = (entity: number, more: number) => degrees.set(entity, (degrees.get(entity) ?? 0) + more)
  for (let passage = 0; passage < passages.count; passage++)
    if (part.passages[passage] === 1) add(passages.entity[passage] ?? 0, ofPart.length === 0 ? 1 : 0)
  for (const fact of ofPart) for (const end of [facts.subject[fact], facts.object[fact]]) add(end ?? 0, 1)
  return degrees
}
