import { findString, stringAt } from '../collections/strings.js'
import { findEntity, type MergedKey, mergedInto } from '../index/merged.js'
import { rowsOf, type SafeIndex } from '../index/safe-index.js'
import type { RowRef } from '../model.js'
import type { Evidence } from './evidence.js'
import { renamed, type Summary } from './summary.js'
import type { RangeReport } from './time-range.js'

/** The modes of answering a question (GRAPH §4). */
export const MODES = ['search', 'entity', 'path', 'walk', 'overview'] as const
export type Mode = (typeof MODES)[number]

/**
 * The answer of an index: rows to read, and names by their keys, best first. Plain data that threads can
 * exchange.
 */
export interface Ranking {
  mode: Mode
  /** Words of the question with the key of the linked entity. `isPart`: they are only words of its name. */
  linked: { text: string; entity: string; isPart?: true }[]
  /**
   * `sources` are the first `MAX_SOURCES` rows with this statement, `ref` the first of them. Subject and
   * object are keys.
   */
  facts: {
    ref: RowRef
    sources: RowRef[]
    score: number
    subject: string
    object: string
    /** When it is true (`periodEnds`). */
    period: string
  }[]
  /** `entity` is the key of the passage's entity. */
  passages: { ref: RowRef; score: number; entity: string }[]
  /** Keys of the entities the answer is about. */
  entities: string[]
  /** Facts and passages found; a search returns at most 700. */
  total: number
  /** The size of the Safe. */
  counts: { entities: number; relations: number; passages: number }
  /** Words of the question that occur nowhere in the Safe, and unknown names. */
  unmatched: string[]
  /** Words with a typing error, as written and as they were read. */
  corrected: { text: string; word: string }[]
  /** Keys of entities whose names resemble the unmatched words. */
  nearest: string[]
  /** Keys of other entities that a name in the question can refer to. */
  alsoMeant: string[]
  /** The walk step whose relation does not exist, and relations that could have continued the walk. */
  unknownRelation: { relation: string; known: string[] } | null
  /** For a question with a time range, when nothing was found. */
  range: RangeReport | null
  /**
   * For a question about a part of the Safe, when nothing was found: the passages of the part, and what the whole Safe has.
   */
  outside: { searched: number; found: number } | null
  /** How much of the question the best passages of a search hold; null in other modes. */
  evidence: Evidence | null
  /** The mode's additional result, with keys as names. On the first page only. */
  summary: Summary | null
}

/** The size of a Safe. */
export function countsOf({ named, facts, passages }: SafeIndex): Ranking['counts'] {
  return { entities: named, relations: facts.count, passages: passages.count - passages.gone }
}

/** Maximum rows returned for one fact. */
export const MAX_SOURCES = 10

/** A fact or a passage, by its number. */
export interface Hit {
  fact: boolean
  id: number
  score: number
}

/** A page of results, best first, as rows. */
export function pageOf(index: SafeIndex, found: readonly Hit[]): Pick<Ranking, 'facts' | 'passages'> {
  const page = withShortScores(found)
  const { facts, passages } = index
  const keyOf = (entity = 0) => stringAt(index.entities, entity)
  return {
    facts: page.flatMap(({ fact, id, score }) => {
      const sources = fact ? rowsOf(facts.rows, id, MAX_SOURCES) : []
      if (sources[0] === undefined) return []
      const [subject, object] = [keyOf(facts.subject[id]), keyOf(facts.object[id])]
      return [{ ref: sources[0], sources, score, subject, object, period: periodOf(index, id) }]
    }),
    passages: page.flatMap(({ fact, id, score }) => {
      const [ref] = fact ? [] : rowsOf(passages.rows, id, 1)
      return ref === undefined ? [] : [{ ref, score, entity: keyOf(passages.entity[id]) }]
    }),
  }
}

/** A page of facts and passages together. */
export interface PageRange {
  limit: number
  offset: number
}

/** A page of results in this order; each score is the position counted from the end. */
export function placedPage(
  index: SafeIndex,
  found: readonly Omit<Hit, 'score'>[],
  { offset, limit }: PageRange,
): Pick<Ranking, 'facts' | 'passages'> {
  const page = found.slice(offset, offset + limit)
  return pageOf(
    index,
    page.map(({ fact, id }, at) => ({ fact, id, score: found.length - offset - at })),
  )
}

/** When a fact is true, for `periodEnds`. */
export function periodOf({ facts: { periods } }: SafeIndex, fact: number): string {
  // Most Safes have no dated facts, and then no list either.
  return fact < periods.of.length ? stringAt(periods.texts, periods.of[fact] ?? 0) : ''
}

/** Rounds scores to four digits and keeps their order, because an assistant reads every digit. */
function withShortScores(found: readonly Hit[]): Hit[] {
  let last = Number.POSITIVE_INFINITY
  return found.map(thing => {
    const rounded = Number(thing.score.toPrecision(4))
    last = rounded < last ? rounded : nextBelow(last)
    return { fact: thing.fact, id: thing.id, score: last }
  })
}

function nextBelow(score: number): number {
  const digit = 10 ** (Math.floor(Math.log10(score)) - 3)
  return Number((score - digit).toPrecision(4))
}

/** A ranking with these fields and defaults for the others. */
export function rankingOf(index: SafeIndex, mode: Mode, fields: Partial<Ranking>): Ranking {
  return {
    mode,
    linked: [],
    facts: [],
    passages: [],
    entities: [],
    total: 0,
    counts: countsOf(index),
    unmatched: [],
    corrected: [],
    nearest: [],
    alsoMeant: [],
    unknownRelation: null,
    range: null,
    outside: null,
    evidence: null,
    summary: null,
    ...fields,
  }
}

/** Distinct keys of entities. */
export function keysOf(index: SafeIndex, entities: Iterable<number>): string[] {
  return [...new Set(entities)].map(entity => stringAt(index.entities, entity))
}

/** The words of the question with the key of the linked entity. */
export function linkTo(index: SafeIndex, text: string, entity: number): Ranking['linked'][number] {
  return { text, entity: stringAt(index.entities, entity) }
}

/** For every entity in a ranking, by key, the import whose row gives its name. */
export function namingImports(index: SafeIndex, ranking: Ranking): Map<string, number> {
  const { linked, entities, nearest, alsoMeant, facts, passages, summary } = ranking
  const keys = new Set([
    ...linked.map(({ entity }) => entity),
    ...[...entities, ...nearest, ...alsoMeant],
    ...facts.flatMap(({ subject, object }) => [subject, object]),
    ...passages.map(({ entity }) => entity),
  ])
  const add = (key: string) => {
    keys.add(key)
    return key
  }
  if (summary) renamed(summary, add)
  const importOf = (key: string) => index.namedIn[findString(index.entities, key)] ?? 0
  return new Map(
    Array.from(keys, key => [key, importOf(key)] as const).filter(([, importId]) => importId > 0),
  )
}

/** Entities of an answer whose other names are listed, and names of each. */
const MAX_MERGED = { entities: 3, names: 5 }

/** Names merged into the entities that the answer is about (ADR 56), those of the question first. */
export function mergedOf(index: SafeIndex, { linked, entities }: Ranking): Map<string, MergedKey[]> {
  const found = new Map<string, MergedKey[]>()
  if (index.merged.keys.size === 0) return found
  for (const key of new Set([...linked.map(({ entity }) => entity), ...entities])) {
    const merged = mergedInto(index.merged, findEntity(index, key), MAX_MERGED.names)
    if (merged.length > 0) found.set(key, merged)
    if (found.size === MAX_MERGED.entities) break
  }
  return found
}
