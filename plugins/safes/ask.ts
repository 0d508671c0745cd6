import {
  type Answer,
  type AnswerFact,
  type AnswerPassage,
  fitAnswer,
  withNeighbours,
  withPassages,
} from '../../graph/answer.js'
import { distinctNames } from '../../graph/distinct-names.js'
import { hintsOf } from '../../graph/hints.js'
import type { RowRef } from '../../graph/model.js'
import type { Ranking } from '../../graph/ranking.js'
import { renamed } from '../../graph/summary.js'
import { normalizeName } from '../../graph/text.js'
import { timeText } from '../../graph/time-range.js'
import { notFound } from '../domain-error.js'
import { openCursor, sealCursor } from './cursor.js'
import type { Indexes } from './indexes.js'
import { requireReader } from './membership.js'
import { neighboursOf, withBeside } from './neighbours.js'
import { type CheckedQuestion, checkedQuestion } from './question.js'
import type { Question } from './safe.js'
import type { ContentStore, Layers, SafeStore } from './store.js'

/** Characters of a passage in a brief answer; of its neighbours in a full one and in a brief one. */
const BRIEF = 240
const NEIGHBOUR = 240
const BRIEF_NEIGHBOUR = 80

interface Parts {
  safes: SafeStore
  contents: ContentStore
  indexes: Indexes
}

/**
 * Answers a question from one Safe (GRAPH §5).
 * @throws notFound for strangers, DomainError 400 for a question that cannot be asked or a cursor that is over
 */
export async function ask(
  parts: Parts,
  accountId: string,
  safeId: string,
  question: Question,
): Promise<Answer> {
  const asked = checkedQuestion(safeId, question)
  const { name, version } = await requireReader(parts.safes, accountId, safeId)
  const first = await answer(parts, { id: safeId, name }, version, asked)
  if (first.complete) return first.answer
  // An import was undone while we read: the index named rows that are gone. The Safe has a new version by now.
  const now = await requireReader(parts.safes, accountId, safeId)
  return (await answer(parts, { id: safeId, name }, now.version, asked)).answer
}

async function answer(
  { contents, indexes }: Parts,
  safe: Answer['safe'],
  version: number,
  asked: CheckedQuestion,
): Promise<{ answer: Answer; complete: boolean }> {
  const content = await indexes.get(safe.id, version)
  const indexed = content.layers.version
  // An older index answers while a newer one is read; what has been undone since is not told any more.
  const layers = indexed === version ? content.layers : await contents.layers(safe.id)
  if (!layers) throw notFound('Safe')
  const offset = asked.cursor === null ? 0 : openCursor(asked.cursor, indexed, asked.identity)
  for (let limit = asked.limit; ; ) {
    const ranking = await content.rank({ ...asked.asked, limit, offset })
    const rows = await readRows(contents, safe.id, layers, ranking)
    const next = offset + ranking.facts.length + ranking.passages.length
    const cursor = next < ranking.total && next > offset ? sealCursor(indexed, asked.identity, next) : null
    const page = assemble(safe, ranking, rows, cursor)
    const fitted = fitAnswer(asked.brief ? briefly(page) : withNeighbours(page, NEIGHBOUR), asked.maxTokens)
    const kept = fitted.facts.length + fitted.passages.length
    const complete = page.facts.length + page.passages.length === next - offset
    if (kept === page.facts.length + page.passages.length) return { answer: fitted, complete }
    if (kept === 0) return { answer: { ...fitted, next_cursor: null }, complete }
    // A page of as many as fit: what is left out then begins the next page, and nothing is skipped.
    limit = kept
  }
}

const briefly = (page: Answer) => withNeighbours(withPassages(page, BRIEF), BRIEF_NEIGHBOUR)

function assemble(
  safe: Answer['safe'],
  ranking: Ranking,
  { facts, passages, nameOf }: Rows,
  cursor: string | null,
): Answer {
  const linked = distinctLinks(ranking, nameOf)
  const summary = ranking.summary ? renamed(ranking.summary, nameOf) : undefined
  return {
    safe,
    mode: ranking.mode,
    linked,
    ...(summary ? { summary } : {}),
    facts,
    passages,
    entities: [...new Set(ranking.entities.map(nameOf))],
    total: ranking.total,
    truncated: cursor !== null,
    next_cursor: cursor,
    hints: hintsOf({
      ...ranking,
      safeName: safe.name,
      summary,
      linked,
      nearest: [...new Set(ranking.nearest.map(nameOf))],
      alsoMeant: ranking.alsoMeant.map(nameOf),
    }),
  }
}

/** Several entities of one name are one thing to the reader. */
function distinctLinks({ linked }: Ranking, nameOf: (key: string) => string): Answer['linked'] {
  const named = linked.map(({ text, entity }) => ({ text, entity: nameOf(entity) }))
  return [...new Map(named.map(link => [`${link.text}\0${link.entity}`, link])).values()]
}

/** Of every entity a ranking names. */
function keysOf({ linked, entities, nearest, alsoMeant, summary }: Ranking): string[] {
  const summed: string[] = []
  if (summary) {
    renamed(summary, key => {
      summed.push(key)
      return key
    })
  }
  return [...linked.map(link => link.entity), ...entities, ...nearest, ...alsoMeant, ...summed]
}

const idOf = (prefix: 'f' | 'p', { importId, id }: RowRef) => `${prefix}${importId}.${id}`

interface Rows {
  facts: AnswerFact[]
  passages: AnswerPassage[]
  nameOf(key: string): string
}

/** The winners' rows, and those beside them: one query for each table, by primary key. */
async function readRows(
  contents: ContentStore,
  safeId: string,
  { importIds, sources }: Layers,
  ranking: Ranking,
): Promise<Rows> {
  const isThere = ({ importId }: RowRef) => sources.has(importId)
  const told = ranking.facts.map(({ sources, score }) => ({ sources: sources.filter(isThere), score }))
  const relations = await contents.relations(
    safeId,
    told.flatMap(({ sources }) => sources.slice(0, 1)),
  )
  const refs = ranking.passages.map(passage => passage.ref).filter(isThere)
  const read = await contents.passages(safeId, withBeside(refs))
  const readBy = new Map(read.map(row => [idOf('p', row), row]))
  const passages = refs.flatMap(ref => readBy.get(idOf('p', ref)) ?? [])
  const ends = relations.flatMap(row => [row.subjectKey, row.objectKey])
  const about = passages.map(row => row.entityKey)
  const keys = new Set([...ends, ...about, ...keysOf(ranking)])
  const names = await contents.names(safeId, importIds, [...keys])
  const distinct = distinctNames(names)
  const nameOf = (key: string) => distinct.get(key) ?? key
  const sourceOf = ({ importId }: RowRef) => sources.get(importId) ?? ''
  // RDF may tell an entity's name after its passages: their title is its id then.
  const titleOf = ({ title, entityKey }: { title: string; entityKey: string }) =>
    [entityKey, normalizeName(names.get(entityKey) ?? '')].includes(normalizeName(title))
      ? nameOf(entityKey)
      : title

  const relationOf = new Map(relations.map(row => [idOf('f', row), row]))
  const passageOf = new Map(passages.map(row => [idOf('p', row), row]))
  const neighbours = neighboursOf(passages, read, row => idOf('p', row))
  return {
    nameOf,
    facts: told.flatMap(({ sources, score }): AnswerFact[] => {
      const [ref] = sources
      const id = ref ? idOf('f', ref) : ''
      const row = relationOf.get(id)
      if (!row) return []
      const says = [...new Set(sources.map(sourceOf))]
      const [subject, object] = [nameOf(row.subjectKey), nameOf(row.objectKey)]
      return [{ id, subject, predicate: row.predicate, object, sources: says, score }]
    }),
    passages: ranking.passages.flatMap(({ ref, score }): AnswerPassage[] => {
      const id = idOf('p', ref)
      const row = passageOf.get(id)
      if (!row) return []
      const time = row.time === null ? {} : { time: timeText(row.time) }
      const source = row.source ?? sourceOf(ref)
      return [{ id, title: titleOf(row), text: row.text, ...time, source, score, ...neighbours.get(id) }]
    }),
  }
}
