import { itemsOf, sizeOf } from '../collections/groups.js'
import { findString, stringAt } from '../collections/strings.js'
import { meaningsOf } from '../index/dictionary.js'
import { outgoingOf, type SafeIndex } from '../index/safe-index.js'
import { type Kind, kindsOf } from '../modes/entity-view.js'
import { findName, nearestKeys } from '../retrieval/find-entity.js'
import type { Direction } from '../retrieval/summary.js'
import { normalizeName, words } from '../text/text.js'
import type { Keys } from './keys.js'
import { type PassagesFound, passages } from './passages.js'
import { type Related, related } from './relations.js'
import { typeName } from './things.js'

export interface ThingLook {
  /** The key, or a name or an alias. */
  name: string
}

/** What a page about an entity shows, or who else could be meant. */
export type ThingFound = Thing | { key: null; alike: string[]; exact: boolean }

export interface Thing {
  key: string
  type: string | null
  relationCount: number
  /** By predicate and direction. */
  kinds: KindOfRelations[]
  /** Kinds that are not listed. */
  moreKinds: number
  /** Neighbours for a picture, the most telling first. */
  neighbours: { key: string; type: string | null; predicate: string; direction: Direction }[]
  /** Pairs of these neighbours that are related to each other. */
  chords: [number, number][]
  /** Neighbours that are not in the list, if they are few enough to be counted. */
  otherNeighbours: number
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

const MOST_KINDS = 40
/** Relations of a kind that are listed: more if there are few kinds. */
const ROWS = 80
const ROWS_OF_KIND = { least: 3, most: 20 }
const NEIGHBOURS = 40
/** Relations of one kind read for neighbours, and relations of a neighbour read for chords. */
const READ_OF_KIND = 200
const READ_OF_NEIGHBOUR = 1_000
const COUNTED = 2_000
const PASSAGES = 5
const MENTIONS = 10
const ALIKE = 20

/** The entity with this key. Otherwise those with this name, or those with a similar one. */
export function thing(index: SafeIndex, keys: Keys, { name }: ThingLook): ThingFound {
  const entity = findString(index.entities, normalizeName(name))
  if (entity >= 0 && entity < index.named) return describe(index, keys, entity)
  const [first, ...others] = namesakes(index, name)
  if (first !== undefined && others.length === 0) return describe(index, keys, first)
  if (first !== undefined)
    return { key: null, alike: [first, ...others].slice(0, ALIKE).map(other => keys.of(other)), exact: true }
  return { key: null, alike: nearestKeys(index, [name]).map(key => keys.known(key)), exact: false }
}

/** Entities with exactly this name or alias; of "bank (bank.n.01)", as answers write it, the one in brackets. */
function namesakes(index: SafeIndex, text: string): number[] {
  const whole = meaningsOf(index.dictionary, words(text).join(' '))
    .filter(({ whole, entity }) => whole && entity < index.named)
    .map(({ entity }) => entity)
  if (whole.length > 0) return whole
  const { entities, equal } = findName(index, text)
  const [first] = entities
  const isBracketed = equal === 1 && text.trimEnd().endsWith(')')
  return first !== undefined && first < index.named && isBracketed ? [first] : []
}

function describe(index: SafeIndex, keys: Keys, entity: number): Thing {
  const { start, end } = outgoingOf(index.facts, entity)
  const kinds = [...kindsOf(index, entity, true), ...kindsOf(index, entity, false)]
  const shown = kinds.toSorted((a, b) => b.count - a.count).slice(0, MOST_KINDS)
  const key = keys.of(entity)
  const rows = Math.floor(ROWS / Math.max(1, shown.length))
  const most = Math.min(ROWS_OF_KIND.most, Math.max(ROWS_OF_KIND.least, rows))
  const around = neighboursOf(index, entity, kinds)
  return {
    key,
    type: typeName(index, entity),
    relationCount: end - start + sizeOf(index.facts.incoming, entity),
    kinds: shown.map(kind => ({
      predicate: stringAt(index.predicates, kind.predicate),
      direction: kind.outgoing ? 'out' : 'in',
      count: kind.count,
      relations: factsOf(index, entity, kind, most).map(fact => related(index, keys, fact)),
    })),
    moreKinds: kinds.length - shown.length,
    neighbours: around.shown.map(({ other, kind }) => ({
      key: keys.of(other),
      type: typeName(index, other),
      predicate: stringAt(index.predicates, kind.predicate),
      direction: kind.outgoing ? 'out' : 'in',
    })),
    chords: chordsOf(
      index,
      around.shown.map(({ other }) => other),
    ),
    otherNeighbours: around.others,
    about: passages(index, keys, { key, limit: PASSAGES }),
    aboutCount: sizeOf(index.passages.about, entity),
    mentions: passages(index, keys, { key, mentioning: true, limit: MENTIONS }),
  }
}

function factsOf(
  { facts }: SafeIndex,
  entity: number,
  { outgoing, start, count }: Kind,
  most: number,
): number[] {
  const incoming = itemsOf(facts.incoming, entity)
  return Array.from({ length: Math.min(count, most) }, (_, at) =>
    outgoing ? start + at : (incoming[start + at] ?? 0),
  )
}

interface Around {
  other: number
  kind: Kind
}

/** Different neighbours, of every kind in turns, rare kinds first because they are the most informative. */
function neighboursOf(index: SafeIndex, entity: number, kinds: readonly Kind[]) {
  const { facts } = index
  const lists = kinds
    .toSorted((a, b) => a.count - b.count)
    .map(kind => ({
      kind,
      others: factsOf(index, entity, kind, READ_OF_KIND).map(fact =>
        kind.outgoing ? (facts.object[fact] ?? 0) : (facts.subject[fact] ?? 0),
      ),
    }))
  const seen = new Set<number>([entity])
  const shown: Around[] = []
  for (let turn = 0; turn < READ_OF_KIND && shown.length < NEIGHBOURS; turn++) {
    for (const { kind, others } of lists) {
      const other = others[turn]
      if (other === undefined || seen.has(other) || shown.length === NEIGHBOURS) continue
      seen.add(other)
      shown.push({ other, kind })
    }
  }
  return { shown, others: countOthers(index, entity, kinds) - shown.length }
}

/** Different neighbours; beyond a limit, relations instead. */
function countOthers({ facts }: SafeIndex, entity: number, kinds: readonly Kind[]): number {
  const relations = kinds.reduce((sum, { count }) => sum + count, 0)
  if (relations > COUNTED) return relations
  const { start, end } = outgoingOf(facts, entity)
  const others = new Set(facts.object.subarray(start, end))
  for (const fact of itemsOf(facts.incoming, entity)) others.add(facts.subject[fact] ?? 0)
  others.delete(entity)
  return others.size
}

function chordsOf({ facts }: SafeIndex, neighbours: readonly number[]): [number, number][] {
  const placeOf = new Map(neighbours.map((entity, at) => [entity, at]))
  const chords = new Map<string, [number, number]>()
  for (const [at, entity] of neighbours.entries()) {
    const { start, end } = outgoingOf(facts, entity)
    for (let fact = start; fact < Math.min(end, start + READ_OF_NEIGHBOUR); fact++) {
      const other = placeOf.get(facts.object[fact] ?? 0)
      if (other === undefined || other === at) continue
      const pair: [number, number] = at < other ? [at, other] : [other, at]
      chords.set(pair.join(' '), pair)
    }
  }
  return [...chords.values()]
}
