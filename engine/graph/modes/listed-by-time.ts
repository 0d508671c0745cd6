import { Top } from '../collections/top.js'
import type { SafeIndex } from '../index/safe-index.js'
import { typeTest } from '../retrieval/find-entity.js'
import { keysOf, placedPage, type Ranking, rankingOf } from '../retrieval/ranking.js'
import { factTest, passageTest, type TimeRange } from '../retrieval/time-range.js'

/** Limits for listed facts, for listed passages, and for named entities. */
const MAX_OF_EACH = 1_000
const MAX_ENTITIES = 10

interface Listed {
  fact: boolean
  id: number
  time: number
}

/**
 * The passages of a time range, and the facts that were true in it, without any other question, the latest first; ties
 * keep their order. The time of a fact is its beginning, or its end if only that is known.
 */
export function listedByTime(
  index: SafeIndex,
  {
    limit,
    offset,
    types = [],
    ...range
  }: { limit: number; offset: number; types?: readonly string[] } & TimeRange,
): Ranking {
  const isWanted = types.length === 0 ? () => true : typeTest(index, types)
  const listed = [...latestPassages(index, range, isWanted), ...latestFacts(index, range, isWanted)]
  const found = listed.sort((a, b) => b.time - a.time)
  const about = found
    .slice(offset, offset + limit)
    .map(({ fact, id }) => (fact ? index.facts.subject[id] : index.passages.entity[id]) ?? 0)
  return rankingOf(index, 'search', {
    ...placedPage(index, found, { limit, offset }),
    entities: keysOf(index, about).slice(0, MAX_ENTITIES),
    total: found.length,
  })
}

type EntityTest = (entity: number) => boolean

function latestPassages(index: SafeIndex, range: TimeRange, isWanted: EntityTest): Listed[] {
  const { times, entity } = index.passages
  const isInRange = passageTest(index, range)
  const top = new Top(MAX_OF_EACH)
  // Passages mostly come in order of time, so from the end nearly all others are rejected at once.
  for (let passage = times.length - 1; passage >= 0; passage--) {
    if (isInRange(passage) && isWanted(entity[passage] ?? 0)) top.offer(passage, times[passage] ?? 0)
  }
  return top.sorted().map(({ id, score }) => ({ fact: false, id, time: score }))
}

function latestFacts({ facts, ...index }: SafeIndex, range: TimeRange, isWanted: EntityTest): Listed[] {
  const { of, from, to } = facts.periods
  const isInRange = factTest({ ...index, facts }, range)
  const timeOf = (period: number) => (Number.isFinite(from[period]) ? from[period] : to[period]) ?? 0
  const top = new Top(MAX_OF_EACH)
  for (let fact = 0; fact < of.length; fact++) {
    const isOfTypes = isWanted(facts.subject[fact] ?? 0) || isWanted(facts.object[fact] ?? 0)
    if (isInRange(fact) && isOfTypes) top.offer(fact, timeOf(of[fact] ?? 0))
  }
  return top.sorted().map(({ id, score }) => ({ fact: true, id, time: score }))
}
