import type { SafeIndex } from '../index/safe-index.js'
import type { RowRange } from '../retrieval/part.js'
import { countsOf } from '../retrieval/ranking.js'
import { type Around, around } from './around.js'
import { type Contents, contents } from './contents.js'
import { type HavingQuery, having } from './having.js'
import { Keys } from './keys.js'
import { suggest } from './names.js'
import { type PassagesFound, type PassagesQuery, passages } from './passages.js'
import { type PathFound, type PathQuery, pathBetween } from './path-between.js'
import { type FactQuery, hasFact, type Relations, type RelationsQuery, relations } from './relations.js'
import { type ThingFound, type ThingQuery, thing } from './thing.js'
import { type ThingRow, type Things, type ThingsQuery, thingRow, things } from './things.js'

/** What a page shows of a Safe, by kind: what is asked, and what is found. Plain data that threads can exchange. */
export interface BrowseKinds {
  counts: { asked: object; found: Contents['counts'] }
  contents: { asked: { limit: number }; found: Contents }
  things: { asked: ThingsQuery; found: Things }
  thing: { asked: ThingQuery; found: ThingFound }
  around: { asked: { key: string }; found: Around | null }
  relations: { asked: RelationsQuery; found: Relations }
  fact: { asked: FactQuery; found: boolean }
  having: { asked: HavingQuery; found: RowRange[] }
  passages: { asked: PassagesQuery; found: PassagesFound }
  names: { asked: { text: string; limit: number }; found: ThingRow[] }
  path: { asked: PathQuery; found: PathFound }
}

export type BrowseKind = keyof BrowseKinds
export type BrowseQuery<Kind extends BrowseKind = BrowseKind> = {
  [K in Kind]: { kind: K } & BrowseKinds[K]['asked']
}[Kind]

/** What was found, and the import that names each of its entities (key → import). */
export interface Browsed<Kind extends BrowseKind = BrowseKind> {
  found: BrowseKinds[Kind]['found']
  naming: Map<string, number>
}

/** Looks something up for a page. Every kind takes bounded time, however large the Safe is. */
export function browse<Kind extends BrowseKind>(index: SafeIndex, asked: BrowseQuery<Kind>): Browsed<Kind> {
  const keys = new Keys(index)
  const found = find(index, keys, asked as BrowseQuery) as BrowseKinds[Kind]['found']
  return { found, naming: keys.naming }
}

function find(index: SafeIndex, keys: Keys, asked: BrowseQuery): BrowseKinds[BrowseKind]['found'] {
  switch (asked.kind) {
    case 'counts':
      return countsOf(index)
    case 'contents':
      return contents(index, keys, asked)
    case 'things':
      return things(index, keys, asked)
    case 'thing':
      return thing(index, keys, asked)
    case 'around':
      return around(index, keys, asked)
    case 'relations':
      return relations(index, keys, asked)
    case 'fact':
      return hasFact(index, asked)
    case 'having':
      return having(index, asked)
    case 'passages':
      return passages(index, keys, asked)
    case 'names':
      return suggest(index, asked.text, asked.limit).map(entity => thingRow(index, keys, entity))
    case 'path':
      return pathBetween(index, keys, asked)
  }
}
