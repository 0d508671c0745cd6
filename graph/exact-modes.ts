import { type EntityView, factAt, kindsOf, viewEntity } from './entity-view.js'
import { nearestKeys, typeTest } from './find-entity.js'
import { overview } from './overview.js'
import { findPaths, type Path, type Paths } from './path.js'
import { type Found, keysOf, pageOf, type Ranking, rankingOf } from './ranking.js'
import type { SafeIndex } from './safe-index.js'
import { stringAt } from './strings.js'
import { isRanged, type TimeRange } from './time-range.js'
import { type Step, type Walk, walk } from './walk.js'

/** Facts and passages together, and how many to leave out at the start. */
export interface Page {
  limit: number
  offset: number
}

/** Kinds of relations in an entity's summary. */
const maxKinds = 30
const maxEntities = 10
/** Meanings of a name that are tried for an end of a path. */
const maxMeanings = 3
/** Facts for each passage, as long as an entity has both. */
const factsPerPassage = 3

/** A name as asked, and the entities that it can mean, the likeliest first. */
export interface Name {
  text: string
  entities: number[]
}

/** Names that no entity has, with what comes near; null when there are none. */
export function unknownNames(index: SafeIndex, mode: Ranking['mode'], names: Name[]): Ranking | null {
  const unmatched = names.filter(({ entities }) => entities.length === 0).map(({ text }) => text)
  if (names.length > 0 && unmatched.length === 0) return null
  return rankingOf(index, mode, { unmatched, nearest: nearestKeys(index, unmatched) })
}

/**
 * One entity: what kinds of relations it has and how many, and its facts and passages page by page. With a range of time
 * only its passages, and no summary, which would tell of all times.
 */
export function entityRanking(
  index: SafeIndex,
  name: Name,
  { limit, offset, ...range }: Page & TimeRange,
): Ranking {
  const [entity = 0, ...others] = name.entities
  const view = viewEntity(index, entity, range)
  const passages = [...view.passages, ...view.mentionedIn]
  const factCount = isRanged(range) ? 0 : view.kinds.reduce((sum, { count }) => sum + count, 0)
  const total = factCount + passages.length
  const end = Math.min(total, offset + limit)
  const found: Found[] = []
  for (let place = offset; place < end; place++) {
    const { fact, at } = mixed(factCount, passages.length, place)
    const id = fact ? factAt(index, view, at) : (passages[at] ?? 0)
    found.push({ fact, id, score: total - place })
  }
  return rankingOf(index, 'entity', {
    linked: [linkTo(index, name, entity)],
    ...pageOf(index, found),
    entities: keysOf(index, [entity, ...view.neighbours]).slice(0, maxEntities),
    total,
    alsoMeant: keysOf(index, others).slice(0, maxEntities),
    summary: offset > 0 || isRanged(range) ? null : entitySummary(index, view),
  })
}

/** What stands at a place when a passage follows every few facts until one of both is used up. */
function mixed(facts: number, passages: number, place: number): { fact: boolean; at: number } {
  const block = factsPerPassage + 1
  const blocks = Math.min(Math.floor(facts / factsPerPassage), passages)
  if (place < blocks * block) {
    const [nth, inside] = [Math.floor(place / block), place % block]
    if (inside < factsPerPassage) return { fact: true, at: nth * factsPerPassage + inside }
    return { fact: false, at: nth }
  }
  const left = place - blocks * block
  const factsLeft = facts - blocks * factsPerPassage
  if (left < factsLeft) return { fact: true, at: blocks * factsPerPassage + left }
  return { fact: false, at: blocks + left - factsLeft }
}

function entitySummary(index: SafeIndex, view: EntityView): Ranking['summary'] {
  const type = stringAt(index.types, index.typeOf[view.entity] ?? 0)
  return {
    kind: 'entity',
    name: stringAt(index.entities, view.entity),
    type: type === '' ? null : type,
    relations: view.kinds.slice(0, maxKinds).map(({ predicate, outgoing, count }) => ({
      predicate: stringAt(index.predicates, predicate),
      direction: outgoing ? 'out' : 'in',
      count,
    })),
    more_relations: Math.max(0, view.kinds.length - maxKinds),
    facts: view.factCount,
    passages: view.passages.length,
    mentions: view.mentionedIn.length,
  }
}

/** The shortest connections of two names; of names with several meanings the first pair that is connected. */
export function pathRanking(index: SafeIndex, [from, to]: [Name, Name], depth: number, page: Page): Ranking {
  const goals = to.entities.slice(0, maxMeanings)
  const pairs = from.entities
    .slice(0, maxMeanings)
    .flatMap(start => goals.map(goal => [start, goal] as const))
  let [start, goal] = pairs[0] ?? [0, 0]
  let found: Paths = { paths: [], truncated: false }
  for (const pair of pairs) {
    const { paths, truncated } = findPaths(index, ...pair, undefined, depth)
    found = { paths, truncated: found.truncated || truncated }
    if (paths.length === 0) continue
    ;[start, goal] = pair
    break
  }
  const facts = [...new Set(found.paths.flatMap(path => path.facts))]
  return rankingOf(index, 'path', {
    linked: [linkTo(index, from, start), linkTo(index, to, goal)],
    ...factPage(index, facts, page),
    entities: keysOf(index, [start, goal, ...found.paths.flatMap(path => path.entities)]).slice(
      0,
      maxEntities,
    ),
    total: facts.length,
    summary:
      page.offset > 0
        ? null
        : { kind: 'path', paths: found.paths.map(path => chainOf(index, path)), complete: !found.truncated },
  })
}

function chainOf(index: SafeIndex, { entities, facts }: Path) {
  return {
    entities: entities.map(entity => stringAt(index.entities, entity)),
    steps: facts.map((fact, at) => ({
      predicate: stringAt(index.predicates, index.facts.predicate[fact] ?? 0),
      direction: index.facts.subject[fact] === entities[at] ? ('out' as const) : ('in' as const),
    })),
  }
}

/** Where the steps lead: the facts of the last step first, because their ends are the answer. */
export function walkRanking(
  index: SafeIndex,
  names: Name[],
  { steps = [], types = [], ...page }: { steps?: readonly Step[]; types?: readonly string[] } & Page,
): Ranking {
  const starts = names.map(({ entities }) => entities[0] ?? 0)
  const walked = walk(index, starts, steps)
  const linked = names.map((name, at) => linkTo(index, name, starts[at] ?? 0))
  if (walked.unknownStep >= 0) {
    const relation = steps[walked.unknownStep]?.relation ?? ''
    const before = walk(index, starts, steps.slice(0, walked.unknownStep)).entities
    return rankingOf(index, 'walk', {
      linked,
      unknownRelation: { relation, known: relationsOf(index, before) },
    })
  }
  const { last, ends } = lastStep(index, walked, types)
  const facts = [...new Set([...last, ...walked.facts.slice(0, -1).toReversed().flat()])]
  const total = last.length === 0 ? 0 : facts.length
  const { offset, limit } = page
  const shown = last.slice(offset, offset + limit)
  const { subject, object } = index.facts
  return rankingOf(index, 'walk', {
    linked,
    ...factPage(index, facts.slice(0, total), page),
    entities: keysOf(
      index,
      shown.flatMap(fact => [object[fact] ?? 0, subject[fact] ?? 0].filter(end => ends.has(end))),
    ),
    total,
    summary: offset > 0 ? null : walkSummary(index, starts, steps, walked, ends.size),
  })
}

/** The last step's facts that lead to an entity of these types, and those entities. */
function lastStep(index: SafeIndex, { facts, entities }: Walk, types: readonly string[]) {
  const isOne = types.length === 0 ? () => true : typeTest(index, types)
  const ends = new Set(entities.filter(isOne))
  const { subject, object } = index.facts
  const last = (facts.at(-1) ?? []).filter(
    fact => ends.has(object[fact] ?? 0) || ends.has(subject[fact] ?? 0),
  )
  return { last, ends }
}

function walkSummary(
  index: SafeIndex,
  starts: number[],
  steps: readonly Step[],
  { facts, truncated }: Walk,
  reached: number,
): Ranking['summary'] {
  const told = steps.map((step, at) => ({ ...step, facts: facts[at]?.length ?? 0 }))
  return { kind: 'walk', start: keysOf(index, starts), steps: told, reached, complete: !truncated }
}

/** Predicates around these entities, for a step that named none of the Safe. */
function relationsOf(index: SafeIndex, entities: readonly number[]): string[] {
  const counts = new Map<number, number>()
  for (const entity of entities.slice(0, 50)) {
    for (const outgoing of [true, false]) {
      for (const { predicate, count } of kindsOf(index, entity, outgoing)) {
        counts.set(predicate, (counts.get(predicate) ?? 0) + count)
      }
    }
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, maxEntities)
    .map(([predicate]) => stringAt(index.predicates, predicate))
}

/** What is in the Safe, or which entities of some types. */
export function overviewRanking(index: SafeIndex, types: readonly string[], { limit }: Page): Ranking {
  return rankingOf(index, 'overview', { summary: overview(index, limit, types) })
}

function factPage(index: SafeIndex, facts: readonly number[], { offset, limit }: Page) {
  const page = facts.slice(offset, offset + limit)
  return pageOf(
    index,
    page.map((id, at) => ({ fact: true, id, score: facts.length - offset - at })),
  )
}

function linkTo(index: SafeIndex, { text }: Name, entity: number): Ranking['linked'][number] {
  return { text, entity: stringAt(index.entities, entity) }
}
