import { itemsOf } from '../collections/groups.js'
import { findString, stringAt } from '../collections/strings.js'
import { findEntity } from '../index/merged.js'
import { outgoingOf, predicateRange, rowsOf, type SafeIndex } from '../index/safe-index.js'
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
  const predicate = findPredicate(index, query.predicate)
  if (predicate < 0) return NONE
  const page =
    query.key === undefined ? ofAll(index, predicate, query) : ofOne(index, predicate, query.key, query)
  if (!page) return NONE
  return {
    items: page.facts.slice(0, query.limit).map(fact => related(index, keys, fact)),
    hasMore: page.facts.length > query.limit,
    total: page.total,
  }
}

/** A fact by the names of its parts. */
interface FactQuery {
  subject: string
  predicate: string
  object: string
}

/** Whether a fact is in the index, under any name of its things. */
export function hasFact(index: SafeIndex, _keys: Keys, { subject, predicate, object }: FactQuery): boolean {
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

/** Facts are ordered by subject, so that a page begins after the fact that ended the previous one. */
function ofAll(index: SafeIndex, predicate: number, { after, limit }: RelationsQuery) {
  const { facts } = index
  const found: number[] = []
  for (let fact = startAfter(index, predicate, after); fact < facts.count && found.length <= limit; fact++)
    if (facts.predicate[fact] === predicate) found.push(fact)
  return { facts: found, total: null }
}

function startAfter(index: SafeIndex, predicate: number, after: RelationsQuery['after']): number {
  if (!after) return 0
  const { entities, facts } = index
  const [subject, object] = [after[0], after[1]].map(key => findString(entities, key))
  if (subject === undefined || subject < 0) return facts.count
  const { start, end } = predicateRange(facts, subject, predicate, true)
  for (let fact = start; fact < end; fact++)
    if (facts.object[fact] === object && periodOf(index, fact) === (after[2] ?? '')) return fact + 1
  return outgoingOf(facts, subject).end
}

function ofOne(index: SafeIndex, predicate: number, key: string, query: RelationsQuery) {
  const { entities, facts } = index
  const entity = findEntity(index, key)
  if (entity < 0) return null
  const isOut = query.direction !== 'in'
  const { start, end } = predicateRange(facts, entity, predicate, isOut)
  const incoming = itemsOf(facts.incoming, entity)
  const factAt = (at: number) => (isOut ? at : (incoming[at] ?? 0))
  const [subject, object] = (query.after ?? []).map(key => findString(entities, key ?? ''))
  const isLast = (fact: number) =>
    facts.subject[fact] === subject &&
    facts.object[fact] === object &&
    periodOf(index, fact) === (query.after?.[2] ?? '')
  let at = start
  if (query.after) {
    while (at < end && !isLast(factAt(at))) at++
    at++
  }
  const found: number[] = []
  for (; at < end && found.length <= query.limit; at++) found.push(factAt(at))
  return { facts: found, total: end - start }
}
