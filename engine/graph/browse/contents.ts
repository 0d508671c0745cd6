import type { SafeIndex } from '../index/safe-index.js'
import { overview } from '../modes/overview.js'
import type { Keys } from './things.js'

/** What a Safe consists of, for the lists of a page. */
interface Contents {
  counts: { entities: number; relations: number; passages: number }
  /** Most frequent first. */
  types: { name: string; count: number }[]
  moreTypes: number
  predicates: { name: string; count: number }[]
  morePredicates: number
  /** Best connected first. */
  hubs: { key: string; count: number }[]
}

/** The types, predicates and best connected entities: `limit` of each. */
export function contents(index: SafeIndex, keys: Keys, { limit }: { limit: number }): Contents {
  const { counts, types, predicates, hubs } = overview(index, limit)
  return {
    counts: { entities: counts.entities, relations: counts.facts, passages: counts.passages },
    types: types.map(({ type, count }) => ({ name: type, count })),
    moreTypes: counts.types - types.length,
    predicates: predicates.map(({ predicate, count }) => ({ name: predicate, count })),
    morePredicates: counts.predicates - predicates.length,
    hubs: hubs
      .filter(({ degree }) => degree > 0)
      .map(({ name, degree }) => ({ key: keys.known(name), count: degree })),
  }
}
