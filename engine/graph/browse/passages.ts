import { itemsOf } from '../collections/groups.js'
import { findEntity } from '../index/merged.js'
import { passageOf, placeOfRow, type RowTable, rowsOf, type SafeIndex } from '../index/safe-index.js'
import type { RowRef } from '../model.js'
import type { Keys } from './keys.js'

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
