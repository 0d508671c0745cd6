import type { SafeIndex } from '../index/safe-index.js'
import { findName, type QuestionName } from '../retrieval/find-entity.js'
import { link } from '../retrieval/link.js'
import { partOf } from '../retrieval/part.js'
import { query } from '../retrieval/query.js'
import { type Ranking, rankingOf } from '../retrieval/ranking.js'
import { isLimited, isRanged, isTimed, rangeReport, type TimeRange } from '../retrieval/time-range.js'
import { endsIn, type GraphQuestion, nameIn, withMode } from './auto-mode.js'
import { entityRanking } from './entity-mode.js'
import { pathRanking, unknownNames, walkRanking } from './exact-modes.js'
import { listedByTime } from './listed-by-time.js'
import { overview } from './overview.js'
import { MAX_PATH_LENGTH } from './path.js'

/**
 * Answers a question in its mode, or in the one that fits (GRAPH §4). Deterministic for a given question and
 * index.
 */
export function evaluate(index: SafeIndex, question: GraphQuestion): Ranking {
  const { mode = 'auto', within } = question
  const resolved = mode === 'auto' ? withMode(index, question) : question
  const asked: Asked = within ? { ...resolved, part: partOf(index, within) } : resolved
  const ranking = answered(index, asked)
  if (ranking.total > 0 || ranking.mode === 'overview') return ranking
  return isLimited(asked) ? withoutLimit(index, asked, ranking) : ranking
}

/** A question whose part is known to this index. */
type Asked = GraphQuestion & TimeRange

/** An empty answer says what the same question finds at all times, or in the whole Safe. */
function withoutLimit(index: SafeIndex, asked: Asked, ranking: Ranking): Ranking {
  const { since: _since, until: _until, asOf: _asOf, ...timeless } = asked
  const { part, ...everywhere } = asked
  const { total } = answered(index, isTimed(asked) ? timeless : everywhere)
  const why = isTimed(asked)
    ? { range: rangeReport(index, asked, total) }
    : { outside: { searched: part?.count ?? 0, found: total } }
  // The limit is the cause, not a name, so similar names would mislead.
  return { ...ranking, nearest: total > 0 ? [] : ranking.nearest, ...why }
}

function answered(index: SafeIndex, question: Asked): Ranking {
  const { mode, limit, types, part } = question
  if (mode === 'overview') return rankingOf(index, mode, { summary: overview(index, limit, types, part) })
  if (mode === 'entity') return entityRanking(index, namesOf(index, question), question)
  if (mode === 'path') return path(index, question)
  return mode === 'walk' ? steps(index, question) : search(index, question)
}

function search(index: SafeIndex, { query: text = '', entities = [], ...question }: Asked): Ranking {
  const words = [text, ...entities].filter(Boolean).join('\n')
  if (words === '' && isRanged(question)) return listedByTime(index, question)
  return query(index, { ...question, query: words })
}

/** The entities named in the fields one after the other, or else in the words of the question. */
function namesOf(index: SafeIndex, { query = '', entities = [], from, to }: GraphQuestion): QuestionName[] {
  const listed = [...entities, from, to].filter(text => text !== undefined)
  if (listed.length > 0) return listed.map(text => findName(index, text))
  const whole = nameIn(index, query)
  if (whole !== null) return [findName(index, whole)]
  const names = new Map<string, QuestionName>()
  for (const { text, entity } of link(index, query).links.toSorted((a, b) => a.from - b.from)) {
    const known = findName(index, text)
    const guessed = names.get(text) ?? { text, entities: [], equal: 1 }
    names.set(
      text,
      known.entities.length > 0 ? known : { ...guessed, entities: [...guessed.entities, entity] },
    )
  }
  return names.size > 0 ? [...names.values()] : [findName(index, query)]
}

function path(index: SafeIndex, question: GraphQuestion): Ranking {
  const { from, to, query = '', depth = MAX_PATH_LENGTH } = question
  const ends = from === undefined && to === undefined ? endsIn(index, query) : null
  const names = ends?.map(text => findName(index, text)) ?? namesOf(index, pathEnds(question))
  const [start, goal] = names
  if (!start || !goal) return rankingOf(index, 'path', {})
  return unknownNames(index, 'path', [start, goal]) ?? pathRanking(index, [start, goal], depth, question)
}

/** `from` and `to`; a missing one is filled with the first of the other names. */
function pathEnds(question: GraphQuestion): GraphQuestion {
  const { entities = [], from, to, ...rest } = question
  const others = entities.filter(name => name !== from && name !== to)
  return {
    ...rest,
    entities: [from ?? others.shift(), to ?? others.shift()].filter(name => name !== undefined),
  }
}

function steps(index: SafeIndex, question: GraphQuestion): Ranking {
  const names = namesOf(index, question)
  return unknownNames(index, 'walk', names) ?? walkRanking(index, names, question)
}
