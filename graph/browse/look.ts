import type { SafeIndex } from '../index/safe-index.js'
import { type Around, around } from './around.js'
import { type Contents, contents } from './contents.js'
import { Keys } from './keys.js'
import { suggest } from './names.js'
import { type PassagesFound, type PassagesLook, passages } from './passages.js'
import { type PathFound, type PathLook, pathBetween } from './path-between.js'
import { type Relations, type RelationsLook, relations } from './relations.js'
import { type ThingFound, type ThingLook, thing } from './thing.js'
import { type ThingRow, type Things, type ThingsLook, thingRow, things } from './things.js'

/** What a page shows of a Safe, by kind: what is asked, and what is found. Plain data that threads can exchange. */
export interface Looks {
  counts: { asked: object; found: Contents['counts'] }
  contents: { asked: { limit: number }; found: Contents }
  things: { asked: ThingsLook; found: Things }
  thing: { asked: ThingLook; found: ThingFound }
  around: { asked: { key: string }; found: Around | null }
  relations: { asked: RelationsLook; found: Relations }
  passages: { asked: PassagesLook; found: PassagesFound }
  names: { asked: { text: string; limit: number }; found: ThingRow[] }
  path: { asked: PathLook; found: PathFound }
}

export type LookKind = keyof Looks
export type Look<Kind extends LookKind = LookKind> = { [K in Kind]: { kind: K } & Looks[K]['asked'] }[Kind]

/** What was found, and the import that names each of its entities (key → import). */
export interface Looked<Kind extends LookKind = LookKind> {
  found: Looks[Kind]['found']
  naming: Map<string, number>
}

/** Looks something up for a page. Every kind takes bounded time, however large the Safe is. */
export function look<Kind extends LookKind>(index: SafeIndex, asked: Look<Kind>): Looked<Kind> {
  const keys = new Keys(index)
  const found = find(index, keys, asked as Look) as Looks[Kind]['found']
  return { found, naming: keys.naming }
}

function find(index: SafeIndex, keys: Keys, asked: Look): Looks[LookKind]['found'] {
  switch (asked.kind) {
    case 'counts':
      return { entities: index.named, relations: index.facts.count, passages: index.passages.count }
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
    case 'passages':
      return passages(index, keys, asked)
    case 'names':
      return suggest(index, asked.text, asked.limit).map(entity => thingRow(index, keys, entity))
    case 'path':
      return pathBetween(index, keys, asked)
  }
}
