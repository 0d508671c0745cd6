import { Top } from '../collections/top.js'
import type { SafeIndex } from '../index/safe-index.js'
import { typeTest } from '../retrieval/find-entity.js'
import { keysOf, type PageRange, placedPage, type Ranking, rankingOf } from '../retrieval/ranking.js'
import { factTest, passageTest, type TimeRange } from '../retrieval/time-range.js'

/** Limits for listed facts, for listed passages, and for named entities. */
const MAX_OF_EACH = 1_000
const MAX_ENTITIES = 10

/**
 * The passages of a time range, and the facts that were true in it, without other conditions, the latest first; ties
 * keep their order. The time of a fact is its beginning, or its end if only that is known.
 */
export function listedByTime(
  index: SafeIndex,
  { limit, offset, types = [], ...range }: { types?: readonly string[] } & PageRange & TimeRange,
): Ranking {
  const isWanted = types.length === 0 ? () => true : typeTest(index, types)
  const { facts, passages } = index
  const { of, from, to } = facts.periods
  const isPassageIn = passageTest(index, range)
  const isFactIn = factTest(index, range)
  const timeOf = (period: number) => (Number.isFinite(from[period]) ? from[period] : to[period]) ?? 0
  const sources = [
    {
      fact: false,
      count: passages.times.length,
      isIn: (id: number) => isPassageIn(id) && isWanted(passages.entity[id] ?? 0),
      timeOf: (id: number) => passages.times[id] ?? 0,
    },
    {
      fact: true,
      count: of.length,
      isIn: (id: number) =>
        isFactIn(id) && (isWanted(facts.subject[id] ?? 0) || isWanted(facts.object[id] ?? 0)),
      timeOf: (id: number) => timeOf(of[id] ?? 0),
    },
  ]
  const listed = sources.flatMap(({ fact, count, isIn, timeOf }) => {
    const top = new Top(MAX_OF_EACH)
    // They mostly come in order of time, so that from the end most are rejected at once.
    for (let id = count - 1; id >= 0; id--) if (isIn(id)) top.offer(id, timeOf(id))
    return top.sorted().map(one => ({ fact, ...one }))
  })
  const found = listed.sort((a, b) => b.score - a.score)
  const about = found
    .slice(offset, offset + limit)
    .map(({ fact, id }) => (fact ? index.facts.subject[id] : index.passages.entity[id]) ?? 0)
  return rankingOf(index, 'search', {
    ...placedPage(index, found, { limit, offset }),
    entities: keysOf(index, about).slice(0, MAX_ENTITIES),
    total: found.length,
  })
}
