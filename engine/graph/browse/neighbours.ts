import { stringAt } from '../collections/strings.js'
import { findEntity } from '../index/merged.js'
import { outgoingOf, type SafeIndex } from '../index/safe-index.js'
import { factsOf, type Kind, kindsOf } from '../modes/entity-view.js'
import { neighboursOf } from '../retrieval/find-entity.js'
import type { Direction } from '../retrieval/summary.js'
import { type Keys, typeName } from './things.js'

/** What a picture shows around an entity. */
export interface Neighbours {
  /** The most telling first; those of a second ring after all of the first. */
  neighbours: ListedNeighbour[]
  /** Pairs of them that are related to each other, besides the relations by which they are listed. */
  chords: [number, number][]
  /** Direct neighbours that are not in the list, if they are few enough to be counted. */
  otherNeighbours: number
}

interface ListedNeighbour {
  key: string
  type: string | null
  /** The relation by which it is listed. */
  predicate: string
  direction: Direction
  /** The neighbour whose neighbour it is, by its place in the list; null for those of the entity itself. */
  of: number | null
}

interface Adjacent {
  other: number
  kind: Kind
}

type NearOf = Adjacent & Pick<ListedNeighbour, 'of'>

const NEIGHBOURS = 40
/** Things in a picture of two rings, besides the one in the middle. */
const WIDER = 149
/** Neighbours of one neighbour. */
const OF_ONE = 12
/** Relations of one kind read for neighbours, and relations of a neighbour read for chords. */
const READ_OF_KIND = 200
const READ_OF_NEIGHBOUR = 1_000
const COUNTED = 2_000

/** What a picture of two rings around an entity shows. Null when there is no entity with this key. */
export function around(index: SafeIndex, keys: Keys, { key }: { key: string }) {
  const entity = findEntity(index, key)
  if (index.isNamed[entity] !== 1) return null
  const type = typeName(index, entity)
  return { key: keys.of(entity), type, ...neighbourhoodOf(index, keys, entity, true) }
}

/** The neighbours of an entity, with those of a second ring if it is to be `wider`. */
export function neighbourhoodOf(index: SafeIndex, keys: Keys, entity: number, wider: boolean): Neighbours {
  const kinds = kindsOf(index, entity)
  const ring = nearest(index, entity, kinds, { most: NEIGHBOURS, read: READ_OF_KIND })
  const shown = ring.map(near => ({ ...near, of: null }))
  const all = wider ? withSecondRing(index, entity, shown) : shown
  return {
    neighbours: all.map(({ other, kind, of }) => ({
      key: keys.of(other),
      type: typeName(index, other),
      predicate: stringAt(index.predicates, kind.predicate),
      direction: kind.outgoing ? 'out' : 'in',
      of,
    })),
    chords: chordsOf(index, all),
    otherNeighbours: countNeighbours(index, entity, kinds) - ring.length,
  }
}

/** Different neighbours, of every kind in turns, rare kinds first because they are the most informative. */
function nearest(
  index: SafeIndex,
  entity: number,
  kinds: readonly Kind[],
  { most, read }: { most: number; read: number },
): Adjacent[] {
  const { facts } = index
  const lists = kinds
    .toSorted((a, b) => a.count - b.count)
    .map(kind => ({
      kind,
      others: factsOf(index, entity, kind, read).map(
        fact => (kind.outgoing ? facts.object[fact] : facts.subject[fact]) ?? 0,
      ),
    }))
  const seen = new Set<number>([entity])
  const found: Adjacent[] = []
  for (let turn = 0; turn < read && found.length < most; turn++) {
    for (const { kind, others } of lists) {
      const other = others[turn]
      if (other === undefined || seen.has(other) || found.length === most) continue
      seen.add(other)
      found.push({ other, kind })
    }
  }
  return found
}

/** Each neighbour gets its own neighbours in turns, until the picture is full. None is shown twice. */
function withSecondRing(index: SafeIndex, entity: number, ring: readonly NearOf[]): NearOf[] {
  const seen = new Set([entity, ...ring.map(({ other }) => other)])
  const bounds = { most: NEIGHBOURS + OF_ONE, read: OF_ONE }
  const lists = ring.map(({ other }) => nearest(index, other, kindsOf(index, other), bounds))
  const all = [...ring]
  for (let turn = 0; turn < OF_ONE; turn++) {
    for (const [of, list] of lists.entries()) {
      const near = list.find(({ other }) => !seen.has(other))
      if (!near || all.length === WIDER) continue
      seen.add(near.other)
      all.push({ ...near, of })
    }
  }
  return all
}

/** Different neighbours; beyond a limit, relations instead. */
function countNeighbours(index: SafeIndex, entity: number, kinds: readonly Kind[]): number {
  const relations = kinds.reduce((sum, { count }) => sum + count, 0)
  return relations > COUNTED ? relations : neighboursOf(index, entity, COUNTED).size
}

function chordsOf({ facts }: SafeIndex, all: readonly NearOf[]): [number, number][] {
  const placeOf = new Map(all.map(({ other }, at) => [other, at]))
  const chords = new Map<string, [number, number]>()
  for (const [at, { other: entity }] of all.entries()) {
    const { start, end } = outgoingOf(facts, entity)
    for (let fact = start; fact < Math.min(end, start + READ_OF_NEIGHBOUR); fact++) {
      const other = placeOf.get(facts.object[fact] ?? 0)
      if (other === undefined || other === at) continue
      const pair: [number, number] = at < other ? [at, other] : [other, at]
      if (all[pair[1]]?.of !== pair[0]) chords.set(pair.join(' '), pair)
    }
  }
  return [...chords.values()]
}
