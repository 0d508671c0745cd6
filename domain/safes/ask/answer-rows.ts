import { normalizeName, type Ranking, type RowRef } from '../../../engine/graph/index.js'
import type { Ranked } from '../index/content.js'
import type { StoredPassage, StoredRelation } from '../stores/types.js'
import type { AnswerFact, AnswerPassage } from './answer.js'
import type { Cost } from './answer-costs.js'
import { distinctNames } from './distinct-names.js'
import { shownTimes } from './fact-times-text.js'
import type { RowReader } from './hot-rows.js'
import { neighboursOf, withBeside } from './neighbours.js'
import { placeOf } from './place.js'
import { timeText } from './time-text.js'

const idOf = (prefix: 'f' | 'p', { importId, id }: RowRef) => `${prefix}${importId}.${id}`

/** The text an answer shows for rows of a ranking. */
export interface Rows {
  /** The cost of a passage's complete text, which is counted only once. */
  bodyCost(passage: AnswerPassage): Cost | undefined
  facts: AnswerFact[]
  passages: AnswerPassage[]
  nameOf(key: string): string
  /** Names of what was merged into entities of the answer. */
  otherNames: Map<string, string[]>
}

/** The rows that were read. */
interface Found {
  /** The sources of imports, by import id. Undone imports are missing. */
  sources: ReadonlyMap<number, string>
  /** Relations and passages by their ids in the answer. */
  relationOf: ReadonlyMap<string, StoredRelation>
  passageOf: ReadonlyMap<string, StoredPassage>
  neighbours: ReturnType<typeof neighboursOf>
  /** Names of entities by their keys: in the rows, and as shown in the answer. */
  names: ReadonlyMap<string, string>
  nameOf(key: string): string
}

/**
 * Reads the rows of the ranking, their neighbours, and all names and sources in parallel: by primary key, one
 * query per table. Rows of imports that were undone since the index was built have no source any more and are
 * left out.
 */
export async function readRows(
  rows: RowReader,
  { ranking, naming, merged }: Ranked,
  safePath: string,
): Promise<Rows> {
  const refs = ranking.passages.map(passage => passage.ref)
  const says = ranking.facts.flatMap(fact => fact.sources)
  const [sources, relations, near, names, mergedNames] = await Promise.all([
    rows.sources([...says, ...refs].map(ref => ref.importId)),
    rows.relations(says),
    rows.passages(withBeside(refs)),
    rows.names(naming),
    namesOfMerged(rows, merged),
  ])
  const read = near.filter(({ importId }) => sources.has(importId))
  const readBy = new Map(read.map(row => [idOf('p', row), row]))
  const passages = refs.flatMap(ref => readBy.get(idOf('p', ref)) ?? [])
  const passageOf = new Map(passages.map(row => [idOf('p', row), row]))
  const distinct = distinctNames(names)
  const nameOf = (key: string) => distinct.get(key) ?? key
  const found = {
    sources,
    relationOf: new Map(relations.map(row => [idOf('f', row), row])),
    passageOf,
    neighbours: neighboursOf(passages, read, row => idOf('p', row)),
    names,
    nameOf,
  }
  return {
    nameOf,
    otherNames: otherNamesOf(merged, mergedNames, nameOf),
    bodyCost: ({ id, text }) => {
      const row = passageOf.get(id)
      return row?.text === text ? rows.costOf(row) : undefined
    },
    facts: ranking.facts.flatMap(fact => answerFact(fact, found) ?? []),
    passages: ranking.passages.flatMap(passage => answerPassage(passage, found, safePath) ?? []),
  }
}

/** A fact of an answer, or null if every import that states it was undone. */
function answerFact(
  { sources: all, score, period, ...ends }: Ranking['facts'][number],
  { sources, relationOf, nameOf }: Found,
): AnswerFact | null {
  const stating = all.filter(({ importId }) => sources.has(importId))
  const [ref] = stating
  const id = ref ? idOf('f', ref) : ''
  const row = relationOf.get(id)
  if (!row) return null
  const stated = stating.map(ref => relationOf.get(idOf('f', ref)))
  return {
    id,
    subject: nameOf(ends.subject),
    predicate: row.predicate,
    object: nameOf(ends.object),
    ...shownTimes(period, stated),
    sources: [
      ...new Set(stating.map(({ importId }, at) => stated[at]?.origin ?? sources.get(importId) ?? '')),
    ],
    score,
  }
}

/** A passage of an answer, or null if its import was undone. */
function answerPassage(
  { ref, score, entity }: Ranking['passages'][number],
  found: Found,
  safePath: string,
): AnswerPassage | null {
  const id = idOf('p', ref)
  const row = found.passageOf.get(id)
  if (!row) return null
  return {
    id,
    title: titleOf(row, entity, found),
    text: row.text,
    ...(row.time === null ? {} : { time: timeText(row.time) }),
    source: row.source ?? row.origin ?? found.sources.get(ref.importId) ?? '',
    ...placeOf(safePath, row),
    score,
    ...found.neighbours.get(id),
  }
}

/**
 * RDF may state an entity's name after its passages, whose title is then the entity's id. The entity may also have
 * been merged into another one.
 */
function titleOf({ title, entityKey }: StoredPassage, entity: string, { names, nameOf }: Found): string {
  const known = [entityKey, normalizeName(names.get(entityKey) ?? '')]
  return known.includes(normalizeName(title)) ? nameOf(entity) : title
}

/** Names of what was merged into entities, if they differ from the entity's. */
function otherNamesOf(
  merged: Ranked['merged'],
  mergedNames: ReadonlyMap<string, string>,
  nameOf: (key: string) => string,
): Map<string, string[]> {
  const named = Array.from(merged, ([entity, others]): [string, string[]] => {
    const distinct = new Set(others.map(({ key }) => mergedNames.get(key) ?? key))
    distinct.delete(nameOf(entity))
    return [entity, [...distinct]]
  })
  return new Map(named.filter(([, names]) => names.length > 0))
}

function namesOfMerged(rows: RowReader, merged: Ranked['merged']): Promise<Map<string, string>> {
  const keys = [...merged.values()].flat()
  return rows.names(new Map(keys.map(({ key, importId }) => [key, importId])))
}
