import { itemsOf } from '../collections/groups.js'
import { findEntity } from '../index/merged.js'
import {
  passageOf,
  placeOfRow,
  predicateRange,
  type RowTable,
  rowsOf,
  type SafeIndex,
} from '../index/safe-index.js'
import type { RowRef } from '../model.js'
import { findPredicate, typeTest } from '../retrieval/find-entity.js'
import { partOf, type RowRange } from '../retrieval/part.js'
import { normalizeName } from '../text/text.js'
import type { Keys } from './things.js'

export interface PassagesQuery {
  /** Only passages about this entity, or those about others that mention it. */
  key?: string
  mentioning?: boolean
  /** The last passage of the previous page. */
  after?: RowRef
  limit: number
}

export interface PassagesFound {
  items: { ref: RowRef; key: string }[]
  hasMore: boolean
}

/** Mentions of an entity that are read. */
const MAX_MENTIONS = 20_000

/** The passages of a Safe, in the order in which they were added. */
export function passages(
  index: SafeIndex,
  keys: Keys,
  { key, mentioning, after, limit }: PassagesQuery,
): PassagesFound {
  const start = after ? placeAfter(index.passages.rows, after, index.passages.count) : 0
  const entity = key === undefined ? -1 : findEntity(index, key)
  if (key !== undefined && entity < 0) return { items: [], hasMore: false }
  const found: number[] = []
  if (key === undefined) {
    for (let passage = start; passage < index.passages.count && found.length <= limit; passage++)
      if (index.text.gone[passage] !== 1) found.push(passage)
  } else {
    for (const passage of mentioning ? mentioningOf(index, entity) : itemsOf(index.passages.about, entity)) {
      if (passage >= start) found.push(passage)
      if (found.length > limit) break
    }
  }
  return {
    items: found.slice(0, limit).map(passage => ({
      ref: rowsOf(index.passages.rows, passage, 1)[0] ?? { importId: 0, id: 0 },
      key: keys.of(index.passages.entity[passage] ?? 0),
    })),
    hasMore: found.length > limit,
  }
}

/** Passages about others that mention the entity, each once, in order. */
function* mentioningOf({ mentions, passages }: SafeIndex, entity: number): Generator<number> {
  let last = -1
  for (const mention of itemsOf(mentions.byEntity, entity).subarray(0, MAX_MENTIONS)) {
    const passage = passageOf(mentions, mention)
    if (passage !== last && passages.entity[passage] !== entity) yield passage
    last = passage
  }
}

/** The first passage after this row: rows are read, and passages numbered, import by import. */
function placeAfter(rows: RowTable, { importId, id }: RowRef, count: number): number {
  const layer = rows.imports.lastIndexOf(importId)
  return layer < 0 ? count : placeOfRow(rows, layer, id + 1)
}

/** What things have: a relation to something with this name, or passages among these rows; or their type. */
export type HavingQuery =
  | { predicate: string; object: string }
  | { type: string }
  | { passages: readonly RowRange[] }

/** The passages about all things that have something, as rows. */
export function having(index: SafeIndex, _keys: Keys, query: HavingQuery): RowRange[] {
  const { passages } = index
  const found = new Set(thingsWith(index, query).flatMap(thing => [...itemsOf(passages.about, thing)]))
  return [...found].flatMap(passage =>
    rowsOf(passages.rows, passage).map(({ importId, id }) => ({ importId, from: id, to: id })),
  )
}

function thingsWith(index: SafeIndex, query: HavingQuery): number[] {
  const { facts, passages, typeOf } = index
  if ('passages' in query) {
    const { passages: isIn } = partOf(index, [query.passages])
    return [...new Set(passages.entity.filter((_, passage) => isIn[passage] === 1))]
  }
  if ('type' in query) return [...typeOf.keys()].filter(typeTest(index, [query.type]))
  const predicate = findPredicate(index, query.predicate)
  const object = findEntity(index, normalizeName(query.object))
  if (predicate < 0 || object < 0) return []
  const { start, end } = predicateRange(facts, object, predicate, false)
  return Array.from(itemsOf(facts.incoming, object).subarray(start, end), fact => facts.subject[fact] ?? 0)
}
