import type { RowRef } from './model.js'
import { rowsOf, type SafeIndex } from './safe-index.js'
import { stringAt } from './strings.js'
import type { Summary } from './summary.js'
import type { RangeReport } from './time-range.js'

/** How a question is answered (GRAPH §4). */
export const modes = ['search', 'entity', 'path', 'walk', 'overview'] as const
export type Mode = (typeof modes)[number]

/** What an index answers: rows to read and names by their keys, best first. Plain data: threads hand it over. */
export interface Ranking {
  mode: Mode
  /** Words of the question and the key of the entity they mean. */
  linked: { text: string; entity: string }[]
  /** `ref` is the first of `sources`: every row that says the same. */
  facts: { ref: RowRef; sources: RowRef[]; score: number }[]
  passages: { ref: RowRef; score: number }[]
  /** Keys of the entities the answer is about. */
  entities: string[]
  /** Facts and passages found; very large answers of a search are cut at 700. */
  total: number
  /** What the Safe holds. */
  counts: { entities: number; relations: number; passages: number }
  /** Words of the question that occur nowhere in the Safe; names that no entity has. */
  unmatched: string[]
  /** Keys of entities with names like the words that matched nothing. */
  nearest: string[]
  /** Keys of further entities that an asked name can mean. */
  alsoMeant: string[]
  /** The step of a walk that is no relation here, and relations that would have led on. */
  unknownRelation: { relation: string; known: string[] } | null
  /** Of a question for a range of time, when nothing was found. */
  range: RangeReport | null
  /** What a mode tells besides facts and passages; names are keys. On the first page only. */
  summary: Summary | null
}

/** A fact or a passage, by its number. */
export interface Found {
  fact: boolean
  id: number
  score: number
}

/** The page of what was found, best first, as rows. */
export function pageOf(index: SafeIndex, found: readonly Found[]): Pick<Ranking, 'facts' | 'passages'> {
  const page = withShortScores(found)
  return {
    facts: page.flatMap(({ fact, id, score }) => {
      const sources = fact ? rowsOf(index.facts.rows, id) : []
      return sources[0] === undefined ? [] : [{ ref: sources[0], sources, score }]
    }),
    passages: page.flatMap(({ fact, id, score }) => {
      const [ref] = fact ? [] : rowsOf(index.passages.rows, id)
      return ref === undefined ? [] : [{ ref, score }]
    }),
  }
}

/** Scores of four digits that tell the order still: an assistant reads every digit. */
function withShortScores(found: readonly Found[]): Found[] {
  let last = Number.POSITIVE_INFINITY
  return found.map(thing => {
    const rounded = Number(thing.score.toPrecision(4))
    last = rounded < last ? rounded : nextBelow(last)
    return { ...thing, score: last }
  })
}

function nextBelow(score: number): number {
  const digit = 10 ** (Math.floor(Math.log10(score)) - 3)
  return Number((score - digit).toPrecision(4))
}

/** A ranking with nothing in it but what is told of it. */
export function rankingOf(index: SafeIndex, mode: Mode, told: Partial<Ranking>): Ranking {
  return {
    mode,
    linked: [],
    facts: [],
    passages: [],
    entities: [],
    total: 0,
    counts: { entities: index.named, relations: index.facts.count, passages: index.passages.count },
    unmatched: [],
    nearest: [],
    alsoMeant: [],
    unknownRelation: null,
    range: null,
    summary: null,
    ...told,
  }
}

/** Keys of entities, without doubles. */
export function keysOf(index: SafeIndex, entities: Iterable<number>): string[] {
  return [...new Set(entities)].map(entity => stringAt(index.entities, entity))
}

/** The words that were asked, and the entity they are taken for. */
export function linkTo(index: SafeIndex, text: string, entity: number): Ranking['linked'][number] {
  return { text, entity: stringAt(index.entities, entity) }
}
