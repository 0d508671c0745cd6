import { findString } from '../collections/strings.js'
import { findEntity } from '../index/merged.js'
import type { SafeIndex } from '../index/safe-index.js'
import { pathRanking } from '../modes/exact-modes.js'
import { MAX_PATH_LENGTH } from '../modes/path.js'
import { findName, nearestKeys } from '../retrieval/find-entity.js'
import type { Direction } from '../retrieval/summary.js'
import { type Keys, typeName } from './things.js'

interface PathFound {
  /** The shortest paths, all of the same length. */
  paths: {
    things: { key: string; type: string | null }[]
    steps: { predicate: string; direction: Direction }[]
  }[]
  /** False when the search was limited at hubs. */
  complete: boolean
  /** Similar names, if there is none like `to`; otherwise null. */
  alike: string[] | null
}

/**
 * The shortest paths from a thing, by its key, to one by its key, name or alias; if one of them is unknown, the things
 * with the most similar names.
 */
export function pathBetween(
  index: SafeIndex,
  keys: Keys,
  { from, to }: Record<'from' | 'to', string>,
): PathFound {
  const start = findEntity(index, from)
  const goal = findName(index, to)
  if (start < 0 || goal.entities.length === 0) {
    return { paths: [], complete: true, alike: nearestKeys(index, [to]).map(key => keys.known(key)) }
  }
  const begin = { text: from, entities: [start], equal: 1 }
  const { summary } = pathRanking(index, [begin, goal], MAX_PATH_LENGTH, { limit: 1, offset: 0 })
  if (summary?.kind !== 'path') return { paths: [], complete: true, alike: null }
  const typeOf = (key: string) => typeName(index, findString(index.entities, key))
  const paths = summary.paths.map(({ entities, steps }) => ({
    things: entities.map(key => ({ key: keys.known(key), type: typeOf(key) })),
    steps,
  }))
  return { paths: paths.filter(({ steps }) => steps.length > 0), complete: summary.complete, alike: null }
}
