import { Top } from '../collections/top.js'
import type { SafeIndex } from '../index/safe-index.js'
import { typeTest } from '../retrieval/find-entity.js'
import { keysOf, pageOf, type Ranking, rankingOf } from '../retrieval/ranking.js'
import { type TimeRange, timeTest } from '../retrieval/time-range.js'

/** Limits for listed passages and named entities. */
const maxPassages = 1_000
const maxEntities = 10

/** The passages of a time range without any other question, the latest first; ties keep their order. */
export function passagesByTime(
  index: SafeIndex,
  {
    limit,
    offset,
    types = [],
    ...range
  }: { limit: number; offset: number; types?: readonly string[] } & TimeRange,
): Ranking {
  const { times, entity } = index.passages
  const isInRange = timeTest(index, range)
  const isWanted = types.length === 0 ? () => true : typeTest(index, types)
  const top = new Top(maxPassages)
  // Passages mostly come in order of time, so from the end nearly all others are rejected at once.
  for (let passage = times.length - 1; passage >= 0; passage--) {
    if (isInRange(passage) && isWanted(entity[passage] ?? 0)) top.offer(passage, times[passage] ?? 0)
  }
  const latest = top.sorted().map(({ id }, at, all) => ({ fact: false, id, score: all.length - at }))
  const page = latest.slice(offset, offset + limit)
  const about = page.map(({ id }) => entity[id] ?? 0)
  return rankingOf(index, 'search', {
    ...pageOf(index, page),
    entities: keysOf(index, about).slice(0, maxEntities),
    total: latest.length,
  })
}
