import { normalizeName, type Ranking, type RowRef } from '../../../engine/graph/index.js'
import { documentAddress } from '../documents/document-address.js'
import type { Ranked } from '../index/content.js'
import { passageId } from '../passage-id.js'
import type { StoredPassage, StoredRelation } from '../stores/types.js'
import type { AnswerFact, AnswerPassage } from './answer.js'
import type { Cost } from './answer-costs.js'
import { distinctNames } from './distinct-names.js'
import { shownTimes } from './fact-times-text.js'
import type { RowReader } from './hot-rows.js'
import { timeText } from './time-text.js'

const factId = ({ importId, id }: RowRef) => `f${importId}.${id}`

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
interface FoundRows {
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
  const passageOf = new Map(read.map(row => [passageId(row), row]))
  const passages = refs.flatMap(ref => passageOf.get(passageId(ref)) ?? [])
  const distinct = distinctNames(names)
  const nameOf = (key: string) => distinct.get(key) ?? key
  const found = {
    sources,
    relationOf: new Map(relations.map(row => [factId(row), row])),
    passageOf,
    neighbours: neighboursOf(passages, passageOf),
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
  { sources, relationOf, nameOf }: FoundRows,
): AnswerFact | null {
  const stating = all.filter(({ importId }) => sources.has(importId))
  const [ref] = stating
  const id = ref ? factId(ref) : ''
  const row = relationOf.get(id)
  if (!row) return null
  const stated = stating.map(ref => relationOf.get(factId(ref)))
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
  found: FoundRows,
  safePath: string,
): AnswerPassage | null {
  const id = passageId(ref)
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
function titleOf({ title, entityKey }: StoredPassage, entity: string, { names, nameOf }: FoundRows): string {
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

const BETWEEN = ' > '

/**
 * The place of a passage: its document, the headings above it, and the page that shows it (RULES R2). `safePath` is the
 * address of the Safe.
 */
function placeOf(safePath: string, row: StoredPassage): Pick<AnswerPassage, 'document' | 'heading' | 'url'> {
  const { id, title, document } = row
  if (document === null) return { url: `${safePath}/passages/${passageId(row)}` }
  const start = title.indexOf(BETWEEN)
  const heading = start === -1 ? {} : { heading: title.slice(start + BETWEEN.length) }
  return { document, ...heading, url: documentAddress(safePath, document, id) }
}

/**
 * These rows and their possible neighbours. Formats write a sequence row by row, so the next passage has the
 * next id and no index is needed.
 */
function withBeside(refs: readonly RowRef[]): RowRef[] {
  const rows = refs.flatMap(({ importId, id }) => [id, id - 1, id + 1].map(id => ({ importId, id })))
  return rows.filter(({ id }) => id > 0)
}

/**
 * The passages before and after each passage in its sequence (GRAPH §3.6), by its id, for the best passages first. Each is used
 * once, and none that is in the answer itself.
 */
function neighboursOf(
  passages: readonly StoredPassage[],
  rowOf: ReadonlyMap<string, StoredPassage>,
): Map<string, Pick<AnswerPassage, 'before' | 'after'>> {
  const shown = new Set(passages.map(passageId))
  const textOnce = (row: StoredPassage | undefined) => {
    if (!row || shown.has(passageId(row))) return null
    shown.add(passageId(row))
    return row.text
  }
  return new Map(
    passages.map(passage => {
      const { importId, id, seq } = passage
      if (seq === null) return [passageId(passage), {}]
      const beside = [-1, 1].map(step => rowOf.get(passageId({ importId, id: id + step })))
      const at = (step: number) => textOnce(beside.find(row => row && follows(passage, row, step)))
      const [before, after] = [at(-1), at(1)]
      return [passageId(passage), { ...(before && { before }), ...(after && { after }) }]
    }),
  )
}

/** Whether a row is `step` places further in the same sequence, rather than in another one that begins there. */
function follows(passage: StoredPassage, row: StoredPassage, step: number): boolean {
  return (
    passage.seq !== null &&
    row.seq === passage.seq + step &&
    row.entityKey === passage.entityKey &&
    row.document === passage.document &&
    row.source === passage.source
  )
}
