import { itemsOf } from '../collections/groups.js'
import { findString, stringAt } from '../collections/strings.js'
import { findEntity } from '../index/merged.js'
import { predicateRange, rowsOf, type SafeIndex } from '../index/safe-index.js'
import type { RowRef } from '../model.js'
import { findPredicate } from '../retrieval/find-entity.js'
import { periodOf } from '../retrieval/ranking.js'
import type { Direction } from '../retrieval/summary.js'
import { normalizeName } from '../text/text.js'
import type { Keys } from './things.js'

/** A relation and the rows that state it. */
export interface Related {
  subject: string
  predicate: string
  object: string
  /** When it is true (`periodEnds`). */
  period: string
  rows: RowRef[]
}

export interface RelationsQuery {
  predicate: string
  /** Only those of this entity, in this direction. */
  key?: string
  direction?: Direction
  /** The last relation of the previous page: its ends, and when it is true. */
  after?: readonly [subject: string, object: string, period?: string]
  limit: number
}

interface Relations {
  items: Related[]
  hasMore: boolean
  /** Relations in all; null when they are not counted. */
  total: number | null
}

/** Rows of one relation that are read for their sources. */
const MAX_ROWS = 5

const NONE: Relations = { items: [], hasMore: false, total: 0 }

/** The relations with a predicate, of all entities or of one. */
export function relations(index: SafeIndex, keys: Keys, query: RelationsQuery): Relations {
  const { facts } = index
  const predicate = findPredicate(index, query.predicate)
  const entity = query.key === undefined ? null : findEntity(index, query.key)
  if (predicate < 0 || (entity ?? 0) < 0) return NONE
  const isOut = query.direction !== 'in'
  const all =
    entity === null ? { start: 0, end: facts.count } : predicateRange(facts, entity, predicate, isOut)
  const incoming = entity === null || isOut ? null : itemsOf(facts.incoming, entity)
  const factAt = (at: number) => (incoming ? (incoming[at] ?? 0) : at)
  const found: number[] = []
  const first = query.after
    ? placeAfter(index, predicate, query.after, entity === null ? null : all, factAt)
    : 0
  for (let at = Math.max(all.start, first); at < all.end && found.length <= query.limit; at++)
    if (facts.predicate[factAt(at)] === predicate) found.push(factAt(at))
  return {
    items: found.slice(0, query.limit).map(fact => related(index, keys, fact)),
    hasMore: found.length > query.limit,
    total: entity === null ? null : all.end - all.start,
  }
}

/** The place after the last relation of the previous page, in a range or among all facts, which are ordered by subject. */
function placeAfter(
  index: SafeIndex,
  predicate: number,
  [ofSubject, ofObject, period = '']: NonNullable<RelationsQuery['after']>,
  range: { start: number; end: number } | null,
  factAt: (at: number) => number,
): number {
  const { entities, facts } = index
  const [subject, object] = [findString(entities, ofSubject), findString(entities, ofObject)]
  if (subject < 0) return facts.count
  const { start, end } = range ?? predicateRange(facts, subject, predicate, true)
  const isLast = (fact: number) =>
    facts.subject[fact] === subject && facts.object[fact] === object && periodOf(index, fact) === period
  for (let at = start; at < end; at++) if (isLast(factAt(at))) return at + 1
  return end
}

/** Whether a fact is in the index, under any name of its things. */
export function hasFact(
  index: SafeIndex,
  _keys: Keys,
  { subject, predicate, object }: Record<'subject' | 'predicate' | 'object', string>,
): boolean {
  const { facts } = index
  const kind = findPredicate(index, predicate)
  const [from = -1, to = -1] = [subject, object].map(name => findEntity(index, normalizeName(name)))
  if (kind < 0 || from < 0 || to < 0) return false
  const { start, end } = predicateRange(facts, from, kind, true)
  return facts.object.subarray(start, end).includes(to)
}

/** A fact with the keys of its ends and the first rows that state it. */
export function related(index: SafeIndex, keys: Keys, fact: number): Related {
  const { subject, predicate, object, rows } = index.facts
  return {
    subject: keys.of(subject[fact] ?? 0),
    predicate: stringAt(index.predicates, predicate[fact] ?? 0),
    object: keys.of(object[fact] ?? 0),
    period: periodOf(index, fact),
    rows: rowsOf(rows, fact, MAX_ROWS),
  }
}
