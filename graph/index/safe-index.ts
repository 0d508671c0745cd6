import { type Groups, itemsOf, sizeOf } from '../collections/groups.js'
import type { Strings } from '../collections/strings.js'
import type { RowRef } from '../model.js'
import type { TextIndex } from './bm25.js'
import type { Dictionary } from './dictionary.js'

/**
 * All that a question needs of one Safe: plain records of numbers and typed arrays, built once and never changed, so
 * that threads can share it and a file can hold it (`toBuffers`). Entities, facts and passages are numbers here; of
 * facts and passages only the rows are known, their text stays in the database.
 */
export interface SafeIndex {
  /** ISO 639-1 codes of the passages' languages, the most frequent first, one blank between. */
  languages: string
  /** Keys of the entities; an entity's number is its key's. Those from `named` on are capitalised phrases of passages. */
  entities: Strings
  /** Entities that the Safe's rows name. */
  named: number
  /** Names of types, folded; number 0 stands for none. */
  types: Strings
  typeOf: Uint32Array
  /** Entity → the import whose row tells its name; 0 = none does. Its name is read there, however many imports name it. */
  namedIn: Uint32Array
  dictionary: Dictionary
  /** Over names and aliases, each a text; `nameOf` says whose. */
  names: TextIndex
  nameOf: Uint32Array
  /** Predicates as phrases ("works for"), whatever their spelling in the files. */
  predicates: Strings
  /** Over the predicates. */
  predicateText: TextIndex
  facts: Facts
  passages: Passages
  mentions: Mentions
  /** Over the passages. */
  text: TextIndex
  /** Edges of each entity, then of each passage. */
  degrees: Uint32Array
}

/** Distinct relations in order of subject, then predicate, with every row that says so. */
export interface Facts {
  count: number
  subject: Uint32Array
  predicate: Uint32Array
  object: Uint32Array
  /** Entity → its first fact as subject; its last one is before the first of the next entity. */
  outgoing: Uint32Array
  /** Entity → facts of which it is the object, in order of predicate. */
  incoming: Groups
  rows: RowTable
}

/** Distinct passages, with every row that says so. */
export interface Passages {
  count: number
  entity: Uint32Array
  /** Entity → passages about it. */
  about: Groups
  /** Passage → its first word in `words`. */
  offsets: Uint32Array
  /** Each word as `tagOf` its stem's number in `text.vocabulary`; 0 = a stop word. */
  words: Uint16Array
  /** Milliseconds since 1970, NaN for a passage without a time; empty when none of the Safe has one. */
  times: Float64Array
  /** How many have a time, and the earliest and the latest. */
  timed: number
  first: number
  last: number
  rows: RowTable
}

/** Where passages mention entities, in order of passage. */
export interface Mentions {
  entity: Uint32Array
  /** Its first word, counted in the passage, × 8 + the entities that the name can mean − 1. */
  place: Uint16Array
  /** Passage → its first mention. */
  offsets: Uint32Array
  /** The passages of every `mentionsInStep`th mention; what lies between is found from these and `offsets`. */
  steps: Uint32Array
  /** Entity → mentions of it. */
  byEntity: Groups
}

export const mentionsInStep = 16
/** The last word whose place is known: of what comes later only that it is late. */
export const lastPlace = 0x1fff

/** The first row of each thing, and further rows that say the same. */
export interface RowTable {
  /** Numbers of imports; `layer` points here, with 16 bits as long as they suffice. */
  imports: Uint32Array
  layer: Uint16Array | Uint32Array
  id: Uint32Array
  /** Things with more rows, in order, a line for each row. */
  more: Uint32Array
  moreLayer: Uint16Array | Uint32Array
  moreId: Uint32Array
}

/** The rows that say a thing, in order of arrival; `most` of them. */
export function rowsOf(rows: RowTable, thing: number, most = Number.POSITIVE_INFINITY): RowRef[] {
  const { imports, layer, id, more, moreLayer, moreId } = rows
  const found = [{ importId: imports[layer[thing] ?? 0] ?? 0, id: id[thing] ?? 0 }]
  if (most === 1) return found
  for (let at = lowerBound(more, thing, 0, more.length); more[at] === thing && found.length < most; at++) {
    found.push({ importId: imports[moreLayer[at] ?? 0] ?? 0, id: moreId[at] ?? 0 })
  }
  return found
}

/** The first place from `from` on at which the sorted `items` are not below `value`; `to` if there is none. */
function lowerBound(items: Uint32Array, value: number, from: number, to: number): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((items[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** A stem in 16 bits. That two stems have the same is rare enough for telling what stands around a mention. */
export function tagOf(term: number): number {
  return (term % 0xffff) + 1
}

/** The first word of a mention, counted in its passage. */
export function wordOf({ place }: Mentions, mention: number): number {
  return (place[mention] ?? 0) >>> 3
}

/** Entities that the name of a mention can mean. */
export function sharedBy({ place }: Mentions, mention: number): number {
  return ((place[mention] ?? 0) & 7) + 1
}

/** The passage that a mention stands in: the last one that begins at it or before. */
export function passageOf({ offsets, steps }: Mentions, mention: number): number {
  const step = Math.floor(mention / mentionsInStep)
  let low = steps[step] ?? 0
  let high = steps[step + 1] ?? offsets.length - 2
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((offsets[middle] ?? 0) <= mention) low = middle
    else high = middle - 1
  }
  return low
}

/** How many passages speak of an entity, mentions counted singly. */
export function passageCount({ passages, mentions }: SafeIndex, entity: number): number {
  return sizeOf(passages.about, entity) + sizeOf(mentions.byEntity, entity)
}

/** How many facts an entity is an end of. */
export function factCount({ facts }: SafeIndex, entity: number): number {
  const { start, end } = outgoingOf(facts, entity)
  return end - start + sizeOf(facts.incoming, entity)
}

/** The facts of which an entity is the subject: from `start` to before `end`. */
export function outgoingOf({ outgoing }: Facts, entity: number): { start: number; end: number } {
  return { start: outgoing[entity] ?? 0, end: outgoing[entity + 1] ?? 0 }
}

/** Where an entity's facts with this predicate are: numbers of facts, or places among its incoming ones. */
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
  const first = firstIncoming(facts, incoming, predicate, 0)
  return { start: first, end: firstIncoming(facts, incoming, predicate + 1, first) }
}

function firstIncoming(facts: Facts, incoming: Uint32Array, predicate: number, from: number): number {
  let [low, high] = [from, incoming.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((facts.predicate[incoming[middle] ?? 0] ?? 0) < predicate) low = middle + 1
    else high = middle
  }
  return low
}
