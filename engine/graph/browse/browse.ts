import type { SafeIndex } from '../index/safe-index.js'
import { overview } from '../modes/overview.js'
import { countsOf } from '../retrieval/ranking.js'
import { suggest } from './names.js'
import { around } from './neighbours.js'
import { having, passages } from './passages.js'
import { pathBetween } from './path-between.js'
import { hasFact, relations } from './relations.js'
import { thing } from './thing.js'
import { Keys, thingRow, things } from './things.js'

/** What a page shows of a Safe, by kind. */
const KINDS = {
  counts: (index: SafeIndex, _keys: Keys, _asked: object) => countsOf(index),
  contents: (index: SafeIndex, keys: Keys, { limit }: { limit: number }) => {
    const found = overview(index, limit)
    for (const { name } of found.hubs) keys.known(name)
    return found
  },
  things,
  thing,
  around,
  relations,
  fact: hasFact,
  having,
  passages,
  names: (index: SafeIndex, keys: Keys, { text, limit }: { text: string; limit: number }) =>
    suggest(index, text, limit).map(entity => thingRow(index, keys, entity)),
  path: pathBetween,
}

type Kinds = typeof KINDS

export type BrowseKind = keyof Kinds
/** What is asked, and what is found. Plain data that threads can exchange. */
export type BrowseKinds = {
  [Kind in BrowseKind]: { asked: Parameters<Kinds[Kind]>[2]; found: ReturnType<Kinds[Kind]> }
}
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
  const find = KINDS[asked.kind] as (index: SafeIndex, keys: Keys, asked: object) => Browsed<Kind>['found']
  return { found: find(index, keys, asked), naming: keys.naming }
}
