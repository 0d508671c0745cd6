import { sizeOf } from '../collections/groups.js'
import { stringAt } from '../collections/strings.js'
import { findEntity, type MergedKey, mergedInto } from '../index/merged.js'
import { factCount, type SafeIndex } from '../index/safe-index.js'
import { factsOf, kindsOf } from '../modes/entity-view.js'
import { findName, nearestKeys } from '../retrieval/find-entity.js'
import type { Direction } from '../retrieval/summary.js'
import { normalizeName } from '../text/text.js'
import { calledExactly } from './names.js'
import { type Neighbours, neighbourhoodOf } from './neighbours.js'
import { type PassagesFound, passages } from './passages.js'
import { type Related, related } from './relations.js'
import { type Keys, typeName } from './things.js'

/** What a page about an entity shows, or who else could be meant. */
type ThingFound = Thing | { key: null; alike: string[]; exact: boolean }

export interface Thing extends Neighbours {
  key: string
  /** Entities that were merged into it (ADR 56). */
  merged: MergedKey[]
  type: string | null
  relationCount: number
  /** By predicate and direction. */
  kinds: KindOfRelations[]
  /** Kinds that are not listed. */
  moreKinds: number
  about: PassagesFound
  aboutCount: number
  mentions: PassagesFound
}

export interface KindOfRelations {
  predicate: string
  direction: Direction
  count: number
  /** The first of them. */
  relations: Related[]
}

const MAX_KINDS = 40
/** Relations of a kind that are listed: more if there are few kinds. */
const ROWS = 80
const ROWS_OF_KIND = { least: 3, most: 20 }
const PASSAGES = 5
const MENTIONS = 10
const ALIKE = 20
const MERGED = 50

/** The entity with this key. Otherwise those with this name or alias, or those with a similar one. */
export function thing(index: SafeIndex, keys: Keys, { name }: { name: string }): ThingFound {
  const entity = findEntity(index, normalizeName(name))
  if (index.isNamed[entity] === 1) return describe(index, keys, entity)
  const [first, ...others] = namesakes(index, name)
  if (first !== undefined && others.length === 0) return describe(index, keys, first)
  if (first !== undefined)
    return { key: null, alike: [first, ...others].slice(0, ALIKE).map(other => keys.of(other)), exact: true }
  return { key: null, alike: nearestKeys(index, [name]).map(key => keys.known(key)), exact: false }
}

/** Entities with exactly this name or alias; of "bank (bank.n.01)", as answers write it, the one in brackets. */
function namesakes(index: SafeIndex, text: string): number[] {
  const whole = calledExactly(index, text).filter(entity => index.isNamed[entity] === 1)
  if (whole.length > 0) return whole
  const { entities, equal } = findName(index, text)
  const [first] = entities
  const isBracketed = equal === 1 && text.trimEnd().endsWith(')')
  return first !== undefined && index.isNamed[first] === 1 && isBracketed ? [first] : []
}

function describe(index: SafeIndex, keys: Keys, entity: number): Thing {
  const kinds = kindsOf(index, entity)
  const shown = kinds.toSorted((a, b) => b.count - a.count).slice(0, MAX_KINDS)
  const key = keys.of(entity)
  const rows = Math.floor(ROWS / Math.max(1, shown.length))
  const most = Math.min(ROWS_OF_KIND.most, Math.max(ROWS_OF_KIND.least, rows))
  return {
    key,
    merged: mergedInto(index.merged, entity, MERGED),
    type: typeName(index, entity),
    relationCount: factCount(index, entity),
    kinds: shown.map(kind => ({
      predicate: stringAt(index.predicates, kind.predicate),
      direction: kind.outgoing ? 'out' : 'in',
      count: kind.count,
      relations: Array.from(factsOf(index, entity, kind, most), fact => related(index, keys, fact)),
    })),
    moreKinds: kinds.length - shown.length,
    ...neighbourhoodOf(index, keys, entity, false),
    about: passages(index, keys, { key, limit: PASSAGES }),
    aboutCount: sizeOf(index.passages.about, entity),
    mentions: passages(index, keys, { key, mentioning: true, limit: MENTIONS }),
  }
}
