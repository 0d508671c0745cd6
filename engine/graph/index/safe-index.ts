import { type Groups, itemsOf, sizeOf } from '../collections/groups.js'
import { firstPlace, lowerBound } from '../collections/search.js'
import type { Strings } from '../collections/strings.js'
import type { RowRef } from '../model.js'
import type { TextIndex } from './bm25.js'
import type { Dictionary } from './dictionary.js'
import type { FactPeriods } from './fact-periods.js'
import type { Merged } from './merged.js'
import type { Workspace } from './workspace.js'

/** Everything that questions to one Safe need. */
export interface SafeIndex extends IndexData {
  workspace: Workspace
}

/**
 * Plain records of numbers and typed arrays, built once and never changed, so that threads can share them and
 * a file can store them (`toBuffers`). Entities, facts and passages
 * are numbers; the texts of facts and passages stay in the database.
 */
export interface IndexData {
  /** ISO 639-1 codes of the passages' languages, the most frequent first, separated by blanks. */
  languages: string
  /** Keys of the entities, whose numbers are those of the keys. */
  entities: Strings
  /** Entity → 1: rows of the Safe name it. Others are capitalised phrases of passages. */
  isNamed: Uint8Array
  /** Number of entities that are named in the Safe's rows. */
  named: number
  /** These entities in the order of their keys. */
  byKey: Uint32Array
  /** Folded names of types; number 0 means no type. */
  types: Strings
  typeOf: Uint32Array
  /** Entity → the import whose row gives its name (one of possibly many); 0 = none. */
  namedIn: Uint32Array
  merged: Merged
  dictionary: Dictionary
  /** Text index over names and aliases; `nameOf` gives the entity of each. */
  names: TextIndex
  nameOf: Uint32Array
  /** Predicates as phrases ("works for"), independent of their spelling in the files. */
  predicates: Strings
  /** Text index over the predicates. */
  predicateText: TextIndex
  facts: Facts
  passages: Passages
  mentions: Mentions
  /** Text index over the passages. */
  text: TextIndex
  /** Number of edges of each entity, then of each passage. */
  degrees: Uint32Array
  built: BuiltFrom
}

/** What an index was built from. A part can be added to it as long as the rest is the same (ADR 17). */
export interface BuiltFrom {
  /** The imports, in ascending order; empty if unknown. */
  imports: Uint32Array
  /** Identifies everything else that it was built from; empty if unknown. */
  basis: string
  /** Rows in parts that were added since the complete build. */
  added: number
  /** Imports that state which keys are the same (ADR 56). */
  identifying: Uint32Array
}

/** Distinct relations (another period counts separately) by subject, then predicate, with all their rows. */
export interface Facts {
  count: number
  subject: Uint32Array
  predicate: Uint32Array
  object: Uint32Array
  /** Entity → its first fact as subject; its facts end before the next entity's. */
  outgoing: Uint32Array
  /** Entity → facts with it as object, ordered by predicate. */
  incoming: Groups
  periods: FactPeriods
  rows: RowTable
}

/** Distinct passages with all their rows. */
export interface Passages {
  count: number
  /** How many of them are gone, as in `TextIndex`. */
  gone: number
  entity: Uint32Array
  /** Entity → passages about it. */
  about: Groups
  /** Passage → its first word in `words`. */
  offsets: Uint32Array
  /** Each word as `tagOf` its stem's number in `text.vocabulary`; 0 = a stop word. The content words of its title follow. */
  words: Uint16Array
  /** Passage → the number of these words of its title. */
  titled: Uint8Array
  /** Milliseconds since 1970, NaN for a passage without a time; empty when no passage of the Safe has one. */
  times: Float64Array
  /** Number of passages with a time, and the first and last time. */
  timed: number
  first: number
  last: number
  rows: RowTable
}

/** Mentions of entities in passages, ordered by passage. */
export interface Mentions {
  entity: Uint32Array
  /**
   * Position of its first word in the passage × 8 + the number of entities that the name can refer to − 1.
   */
  place: Uint16Array
  /** Passage → its first mention. */
  offsets: Uint32Array
  /** The passages of every `MENTIONS_IN_STEP`th mention; the others are found from these and `offsets`. */
  steps: Uint32Array
  /** Entity → mentions of it. */
  byEntity: Groups
}

export const MENTIONS_IN_STEP = 16
/** The highest position stored; later positions are stored as this one. */
export const LAST_PLACE = 0x1fff

/** The first row of each item, and further rows with the same statement. */
export interface RowTable {
  /** Import ids; `layer` is a position in this list, in 16 bits if possible. */
  imports: Uint32Array
  layer: Uint16Array | Uint32Array
  id: Uint32Array
  /** Items with further rows, in order, one entry per row. */
  more: Uint32Array
  moreLayer: Uint16Array | Uint32Array
  moreId: Uint32Array
}

/** At most `most` rows of an item, in order of arrival. */
export function rowsOf(rows: RowTable, thing: number, most = Number.POSITIVE_INFINITY): RowRef[] {
  const { imports, layer, id, more, moreLayer, moreId } = rows
  const found = [{ importId: imports[layer[thing] ?? 0] ?? 0, id: id[thing] ?? 0 }]
  if (most === 1) return found
  for (let at = lowerBound(more, thing); more[at] === thing && found.length < most; at++) {
    found.push({ importId: imports[moreLayer[at] ?? 0] ?? 0, id: moreId[at] ?? 0 })
  }
  return found
}

/** The first item whose first row is not before this one. Passages are in the order of their first rows. */
export function placeOfRow({ layer, id }: RowTable, ofLayer: number, row: number): number {
  return firstPlace(0, id.length, place => {
    const there = layer[place] ?? 0
    return there < ofLayer || (there === ofLayer && (id[place] ?? 0) < row)
  })
}

/** A stem in 16 bits. Collisions are rare enough for matching the words around a mention. */
export function tagOf(term: number): number {
  return (term % 0xffff) + 1
}

/** Position of a mention's first word in its passage. */
export function wordOf({ place }: Mentions, mention: number): number {
  return (place[mention] ?? 0) >>> 3
}

/** How many entities the name of a mention can refer to. */
export function sharedBy({ place }: Mentions, mention: number): number {
  return ((place[mention] ?? 0) & 7) + 1
}

/** The passage of a mention: the last one that begins at or before it. */
export function passageOf({ offsets, steps }: Mentions, mention: number): number {
  const step = Math.floor(mention / MENTIONS_IN_STEP)
  let low = steps[step] ?? 0
  let high = steps[step + 1] ?? offsets.length - 2
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((offsets[middle] ?? 0) <= mention) low = middle
    else high = middle - 1
  }
  return low
}

/** Number of passages about an entity plus its mentions. */
export function passageCount(
  { passages, mentions }: Pick<SafeIndex, 'passages' | 'mentions'>,
  entity: number,
): number {
  return sizeOf(passages.about, entity) + sizeOf(mentions.byEntity, entity)
}

/** Number of facts with an entity at either end. */
export function factCount(
  { facts: { outgoing, incoming } }: Pick<SafeIndex, 'facts'>,
  entity: number,
): number {
  return (outgoing[entity + 1] ?? 0) - (outgoing[entity] ?? 0) + sizeOf(incoming, entity)
}

/** The facts with an entity as subject: `start` up to, but not including, `end`. */
export function outgoingOf({ outgoing }: Facts, entity: number): { start: number; end: number } {
  return { start: outgoing[entity] ?? 0, end: outgoing[entity + 1] ?? 0 }
}

/** An entity's facts with this predicate: numbers of facts, or positions among its incoming facts. */
export function predicateRange(
  facts: Facts,
  entity: number,
  predicate: number,
  outgoing: boolean,
): { start: number; end: number } {
  if (outgoing) {
    const { start, end } = outgoingOf(facts, entity)
    const first = lowerBound(facts.predicate, predicate, start, end)
    return { start: first, end: lowerBound(facts.predicate, predicate + 1, first, end) }
  }
  const incoming = itemsOf(facts.incoming, entity)
  const firstOf = (wanted: number, from: number) =>
    firstPlace(from, incoming.length, at => (facts.predicate[incoming[at] ?? 0] ?? 0) < wanted)
  const first = firstOf(predicate, 0)
  return { start: first, end: firstOf(predicate + 1, first) }
}
