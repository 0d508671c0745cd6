import { itemsOf } from '../collections/groups.js'
import { Top } from '../collections/top.js'
import { factCount, outgoingOf, passageOf, predicateRange, type SafeIndex } from '../index/safe-index.js'
import { neighboursOf } from '../retrieval/find-entity.js'
import { factTest, isLimited, limitsPassages, passageTest, type TimeRange } from '../retrieval/time-range.js'

/** One entity's data by numbers. Lists are limited; the counts cover everything. */
export interface EntityView {
  entity: number
  /** Its relations by predicate and direction, the most frequent first. */
  kinds: Kind[]
  factCount: number
  /** Passages about it. These, the relations and the mentions are in the requested time range. */
  passages: Uint32Array
  /** Passages about others that mention it. */
  mentionedIn: number[]
  /** Its best connected neighbours. Empty if the question is limited to a part of the Safe: they may be outside it. */
  neighbours: number[]
}

/** An entity's facts with one predicate in one direction: a range of facts, or of its incoming ones. */
export interface Kind {
  predicate: number
  outgoing: boolean
  start: number
  count: number
  /** Those in the requested time; absent when all are. */
  inTime?: Uint32Array
}

/** Kinds of relations examined; each costs two binary searches. */
const MAX_KINDS = 500
const MAX_MENTIONS = 5_000
/**
 * Facts, passages and mentions whose time is examined; of the latter two from the end, because they mostly come in order
 * of time.
 */
export const MAX_TIMES = 200_000
const MAX_NEIGHBOURS_READ = 500
const MAX_NEIGHBOURS = 10

/** Mode `entity` (GRAPH §4). The cost grows with the kinds of relations, not with the number of facts. */
export function viewEntity(
  index: SafeIndex,
  entity: number,
  range: TimeRange = {},
  times = MAX_TIMES,
): EntityView {
  const about = itemsOf(index.passages.about, entity)
  return {
    entity,
    kinds: inTime(index, entity, kindsOf(index, entity), range, times).sort((a, b) => b.count - a.count),
    factCount: factCount(index, entity),
    passages: limitsPassages(index, range)
      ? about.subarray(Math.max(0, about.length - times)).filter(passageTest(index, range))
      : about,
    mentionedIn: mentionedIn(index, entity, range, times),
    neighbours: range.part ? [] : neighbours(index, entity),
  }
}

/**
 * The entity's fact at a place in this order: one of each kind, rare kinds first because they are the most
 * informative, then the rest kind by kind. It builds no list of a hub's facts.
 */
export function factAt({ facts }: SafeIndex, { entity, kinds }: EntityView, place: number): number {
  const rareFirst = kinds.toReversed()
  let left = place - rareFirst.length
  let [kind, at] = [rareFirst[place], 0]
  for (const next of left < 0 ? [] : rareFirst) {
    if (left < next.count - 1) {
      ;[kind, at] = [next, left + 1]
      break
    }
    left -= next.count - 1
  }
  if (!kind) return 0
  if (kind.inTime) return kind.inTime[at] ?? 0
  return kind.outgoing ? kind.start + at : (itemsOf(facts.incoming, entity)[kind.start + at] ?? 0)
}

/** Every kind of relation that an entity has. Facts are ordered by predicate, so a kind's end is found by binary search. */
export const kindsOf = ({ facts }: SafeIndex, entity: number): Kind[] =>
  [true, false].flatMap(outgoing => {
    const incoming = itemsOf(facts.incoming, entity)
    const range = outgoing ? outgoingOf(facts, entity) : { start: 0, end: incoming.length }
    const kinds: Kind[] = []
    for (let start = range.start; start < range.end && kinds.length < MAX_KINDS; ) {
      const predicate = facts.predicate[outgoing ? start : (incoming[start] ?? 0)] ?? 0
      const { end } = predicateRange(facts, entity, predicate, outgoing)
      kinds.push({ predicate, outgoing, start, count: end - start })
      start = end
    }
    return kinds
  })

/** The kinds with only their facts in the requested time. */
function inTime(index: SafeIndex, entity: number, kinds: Kind[], range: TimeRange, most: number): Kind[] {
  if (!isLimited(range)) return kinds
  const isInTime = factTest(index, range)
  let left = most
  return kinds.flatMap(kind => {
    const count = Math.min(kind.count, left)
    left -= count
    const found = factsOf(index, entity, kind, count).filter(isInTime)
    return found.length === 0 ? [] : [{ ...kind, inTime: found, count: found.length }]
  })
}

/** The first facts of a kind. */
export function factsOf(
  { facts }: SafeIndex,
  entity: number,
  { outgoing, start, count }: Kind,
  most = count,
): Uint32Array {
  const length = Math.min(count, most)
  if (outgoing) return Uint32Array.from({ length }, (_, at) => start + at)
  return itemsOf(facts.incoming, entity).subarray(start, start + length)
}

function mentionedIn(index: SafeIndex, entity: number, range: TimeRange, times: number): number[] {
  const { mentions, passages } = index
  const isInRange = passageTest(index, range)
  const seen = new Set<number>()
  let left = MAX_MENTIONS
  const all = itemsOf(mentions.byEntity, entity)
  for (const mention of limitsPassages(index, range) ? all.subarray(Math.max(0, all.length - times)) : all) {
    const passage = passageOf(mentions, mention)
    if (!isInRange(passage)) continue
    if (left-- === 0) break
    if (passages.entity[passage] !== entity) seen.add(passage)
  }
  return [...seen]
}

function neighbours(index: SafeIndex, entity: number): number[] {
  const top = new Top(MAX_NEIGHBOURS)
  for (const other of neighboursOf(index, entity, MAX_NEIGHBOURS_READ))
    top.offer(other, index.degrees[other] ?? 0)
  return top.sorted().map(({ id }) => id)
}
