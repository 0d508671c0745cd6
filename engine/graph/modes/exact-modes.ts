import { stringAt } from '../collections/strings.js'
import type { SafeIndex } from '../index/safe-index.js'
import { nearestKeys, type QuestionName, typeTest } from '../retrieval/find-entity.js'
import { keysOf, linkTo, type PageRange, placedPage, type Ranking, rankingOf } from '../retrieval/ranking.js'
import { factTest, type TimeRange } from '../retrieval/time-range.js'
import { kindsOf } from './entity-view.js'
import { findPaths, MAX_EDGES, type Path, type Paths } from './path.js'
import { MAX_WORK, type Step, type Walk, type WalkBudget, walk } from './walk.js'

const MAX_ENTITIES = 10
/** Meanings of a name tried as the end of a path or the start of a walk. */
const MAX_MEANINGS = 3
/** Other meanings of the names that are returned. */
const MAX_OTHERS = 6

/** A ranking that reports unknown names and similar ones; null when all are known. */
export function unknownNames(index: SafeIndex, mode: Ranking['mode'], names: QuestionName[]): Ranking | null {
  const unmatched = names.filter(({ entities }) => entities.length === 0).map(({ text }) => text)
  if (names.length > 0 && unmatched.length === 0) return null
  return rankingOf(index, mode, { unmatched, nearest: nearestKeys(index, unmatched) })
}

/** The shortest paths between two names; of ambiguous names the meanings nearest to each other. */
export function pathRanking(
  index: SafeIndex,
  [from, to]: [QuestionName, QuestionName],
  depth: number,
  page: PageRange & TimeRange,
): Ranking {
  const isInTime = factTest(index, page)
  const goals = to.entities.slice(0, MAX_MEANINGS)
  const budget = { edges: MAX_EDGES }
  const pairs = from.entities
    .slice(0, MAX_MEANINGS)
    .flatMap(start => goals.map(goal => [start, goal] as const))
  let [start, goal] = pairs[0] ?? [0, 0]
  let found: Paths = { paths: [], truncated: false }
  let hops = depth
  for (const pair of pairs) {
    if (hops < 1) break
    const { paths, truncated } = findPaths(index, ...pair, undefined, hops, budget, isInTime)
    const [first] = paths
    found = { paths: first ? paths : found.paths, truncated: found.truncated || truncated }
    if (!first) continue
    ;[start, goal] = pair
    hops = first.facts.length - 1
  }
  const facts = [...new Set(found.paths.flatMap(path => path.facts))]
  const entities = [start, goal, ...found.paths.flatMap(path => path.entities)]
  return rankingOf(index, 'path', {
    linked: [linkTo(index, from.text, start), linkTo(index, to.text, goal)],
    ...placedPage(index, facts.map(asHit), page),
    entities: keysOf(index, entities).slice(0, MAX_ENTITIES),
    total: facts.length,
    alsoMeant: otherMeanings(index, [from, to], [start, goal]),
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

/** The result of a walk. Facts of the last step come first, because their ends are the answer. */
export function walkRanking(
  index: SafeIndex,
  names: QuestionName[],
  {
    steps = [],
    types = [],
    ...page
  }: { steps?: readonly Step[]; types?: readonly string[] } & PageRange & TimeRange,
): Ranking {
  const isInTime = factTest(index, page)
  const work = { left: MAX_WORK / 3 }
  const starts = names.map(({ entities }) => startOf(index, entities, steps, work))
  const walked = walk(index, starts, steps, undefined, isInTime)
  const linked = names.map((name, at) => linkTo(index, name.text, starts[at] ?? 0))
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
  const { subject, object } = index.facts
  const shown = last.slice(offset, offset + limit).flatMap(fact => [object[fact] ?? 0, subject[fact] ?? 0])
  return rankingOf(index, 'walk', {
    linked,
    ...placedPage(index, facts.slice(0, total).map(asHit), page),
    entities: keysOf(
      index,
      shown.filter(end => ends.has(end)),
    ),
    total,
    alsoMeant: otherMeanings(index, names, starts),
    summary: offset > 0 ? null : walkSummary(index, starts, steps, walked, ends.size),
  })
}

/** The first meaning of a name from which the steps lead somewhere, within the limit of `work`. */
function startOf(
  index: SafeIndex,
  meanings: readonly number[],
  steps: readonly Step[],
  work: WalkBudget,
): number {
  const likely = meanings.slice(0, MAX_MEANINGS)
  const leads = (start: number) => walk(index, [start], steps, work).entities.length > 0
  return (likely.length > 1 ? likely.find(leads) : undefined) ?? likely[0] ?? 0
}

const asHit = (id: number) => ({ fact: true, id })

/** Keys of other meanings of the names. */
export function otherMeanings(
  index: SafeIndex,
  names: readonly QuestionName[],
  taken: readonly number[],
): string[] {
  const equal = names.flatMap(({ entities, equal }) => entities.slice(0, equal))
  const others = equal.filter(entity => !taken.includes(entity))
  return keysOf(index, others).slice(0, MAX_OTHERS)
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
  const counted = steps.map((step, at) => ({ ...step, facts: facts[at]?.length ?? 0 }))
  return { kind: 'walk', start: keysOf(index, starts), steps: counted, reached, complete: !truncated }
}

/** Predicates around these entities, for a step whose relation does not exist in the Safe. */
function relationsOf(index: SafeIndex, entities: readonly number[]): string[] {
  const counts = new Map<number, number>()
  for (const entity of entities.slice(0, 50)) {
    for (const { predicate, count } of kindsOf(index, entity))
      counts.set(predicate, (counts.get(predicate) ?? 0) + count)
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_ENTITIES)
    .map(([predicate]) => stringAt(index.predicates, predicate))
}
