import { itemsOf } from '../collections/groups.js'
import { findEntity } from '../index/merged.js'
import { predicateRange, rowsOf, type SafeIndex } from '../index/safe-index.js'
import { findPredicate, typeTest } from '../retrieval/find-entity.js'
import { partOf, type RowRange } from '../retrieval/part.js'
import { normalizeName } from '../text/text.js'
import type { Keys } from './keys.js'

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
