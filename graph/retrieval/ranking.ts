import { findString, stringAt } from '../collections/strings.js'
import { rowsOf, type SafeIndex } from '../index/safe-index.js'
import type { RowRef } from '../model.js'
import { renamed, type Summary } from './summary.js'
import type { RangeReport } from './time-range.js'

/** How a question is answered (GRAPH §4). */
export const modes = ['search', 'entity', 'path', 'walk', 'overview'] as const
export type Mode = (typeof modes)[number]

/** What an index answers: rows to read and names by their keys, best first. Plain data: threads hand it over. */
export interface Ranking {
  mode: Mode
  /** Words of the question and the key of the entity they mean. */
  linked: { text: string; entity: string }[]
  /** `ref` is the first of `sources`: the first `maxSources` rows that say the same. Subject and object are keys. */
  facts: { ref: RowRef; sources: RowRef[]; score: number; subject: string; object: string }[]
  /** `entity` is the key of what the passage is about. */
  passages: { ref: RowRef; score: number; entity: string }[]
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
  /** How much of the question's content words the best passage of a search holds, 0 … 1; null if there is none. */
  coverage: number | null
  /** What a mode tells besides facts and passages; names are keys. On the first page only. */
  summary: Summary | null
}

/** Rows told of a fact that very many say. */
export const maxSources = 10

/** A fact or a passage, by its number. */
export interface Hit {
  fact: boolean
  id: number
  score: number
}

/** The page of what was found, best first, as rows. */
export function pageOf(index: SafeIndex, found: readonly Hit[]): Pick<Ranking, 'facts' | 'passages'> {
  const page = withShortScores(found)
  const { facts, passages } = index
  const keyOf = (entity = 0) => stringAt(index.entities, entity)
  return {
    facts: page.flatMap(({ fact, id, score }) => {
      const sources = fact ? rowsOf(facts.rows, id, maxSources) : []
      if (sources[0] === undefined) return []
      const [subject, object] = [keyOf(facts.subject[id]), keyOf(facts.object[id])]
      return [{ ref: sources[0], sources, score, subject, object }]
    }),
    passages: page.flatMap(({ fact, id, score }) => {
      const [ref] = fact ? [] : rowsOf(passages.rows, id, 1)
      return ref === undefined ? [] : [{ ref, score, entity: keyOf(passages.entity[id]) }]
    }),
  }
}

/** Scores of four digits that tell the order still: an assistant reads every digit. */
function withShortScores(found: readonly Hit[]): Hit[] {
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
export function rankingOf(index: SafeIndex, mode: Mode, fields: Partial<Ranking>): Ranking {
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
    coverage: null,
    summary: null,
    ...fields,
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

/** The import whose row tells the name, for every entity that a ranking names, by its key. */
export function namingImports(index: SafeIndex, ranking: Ranking): Map<string, number> {
  const naming = new Map<string, number>()
  for (const key of namedKeys(ranking)) {
    if (naming.has(key)) continue
    const entity = findString(index.entities, key)
    const importId = entity < 0 ? 0 : (index.namedIn[entity] ?? 0)
    if (importId > 0) naming.set(key, importId)
  }
  return naming
}

function* namedKeys({ linked, entities, nearest, alsoMeant, facts, passages, summary }: Ranking) {
  for (const { entity } of linked) yield entity
  yield* entities
  yield* nearest
  yield* alsoMeant
  for (const { subject, object } of facts) yield* [subject, object]
  for (const { entity } of passages) yield entity
  const summed: string[] = []
  if (summary) {
    renamed(summary, key => {
      summed.push(key)
      return key
    })
  }
  yield* summed
}
