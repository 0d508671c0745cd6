import { meaningsOf } from './dictionary.js'
import {
  entityRanking,
  type Name,
  overviewRanking,
  type Page,
  pathRanking,
  unknownNames,
  walkRanking,
} from './exact-modes.js'
import { findEntities } from './find-entity.js'
import { latestPassages } from './latest.js'
import { link } from './link.js'
import { longestPath } from './path.js'
import { query } from './query.js'
import { type Mode, type Ranking, rankingOf } from './ranking.js'
import type { SafeIndex } from './safe-index.js'
import { findString } from './strings.js'
import { normalizeName, words } from './text.js'
import { isRanged, rangeReport, type TimeRange } from './time-range.js'
import type { Step } from './walk.js'

/** All that can be asked of an index (GRAPH §5). Plain data: threads hand it over. */
export interface GraphQuestion extends Page, TimeRange {
  /** `auto` when absent. */
  mode?: Mode | 'auto'
  /** Words; empty or absent when other fields say what to do. */
  query?: string
  /** Names. */
  entities?: readonly string[]
  from?: string
  to?: string
  steps?: readonly Step[]
  /** Relations of the longest path, at most 4. */
  depth?: number
  types?: readonly string[]
}

/** Two names in a question for a path: their words, `from` first. */
const pathForms = [/\bbetween\s+(.+?)\s+and\s+(.+?)[\s?.!]*$/iu, /\bfrom\s+(.+?)\s+to\s+(.+?)[\s?.!]*$/iu]

/** Answers a question in the mode it asks for, or that fits it (GRAPH §4): same question, same index, same answer. */
export function evaluate(index: SafeIndex, question: GraphQuestion): Ranking {
  const { mode = 'auto' } = question
  const picked = mode === 'auto' ? pickMode(index, question) : mode
  const ranking = answered(index, picked, question)
  if (ranking.total > 0 || !isRanged(question)) return ranking
  const { since: _since, until: _until, ...timeless } = question
  const { total } = answered(index, picked, timeless)
  // The range is to blame, not a name: what comes near would lead away.
  const nearest = total > 0 ? [] : ranking.nearest
  return { ...ranking, nearest, range: rangeReport(index, question, total) }
}

function answered(index: SafeIndex, mode: Mode, question: GraphQuestion): Ranking {
  if (mode === 'search') return search(index, question)
  if (mode === 'overview') return overviewRanking(index, question.types ?? [], question)
  if (mode === 'entity') return entity(index, question)
  if (mode === 'path') return path(index, question)
  return steps(index, question)
}

function pickMode(index: SafeIndex, question: GraphQuestion): Mode {
  const { query = '', entities = [], from, to, types = [] } = question
  if (from !== undefined && to !== undefined) return 'path'
  if ((question.steps ?? []).length > 0) return 'walk'
  const hasName = entities.length > 0 || from !== undefined || to !== undefined
  if (query === '' && hasName) return 'entity'
  if (query === '') return isRanged(question) ? 'search' : 'overview'
  if (entities.length > 0) return 'search'
  // A path has no passages that could lie in a range of time.
  if (!isRanged(question) && endsIn(index, query)) return 'path'
  return types.length === 0 && isOneName(index, query) ? 'entity' : 'search'
}

/** Whether a query is nothing but the name of one entity that the Safe's rows name. */
function isOneName(index: SafeIndex, query: string): boolean {
  const key = findString(index.entities, normalizeName(query))
  if (key >= 0) return key < index.named
  const whole = meaningsOf(index.dictionary, words(query).join(' ')).filter(meaning => meaning.whole)
  return whole.length === 1 && (whole[0]?.entity ?? index.named) < index.named
}

/** The ends that "between X and Y" or "from X to Y" names, if both are names of this Safe. */
function endsIn(index: SafeIndex, query: string): [string, string] | null {
  for (const form of pathForms) {
    const [, from, to] = form.exec(query) ?? []
    if (from === undefined || to === undefined) continue
    const ends = [nameIn(index, from), nameIn(index, to)] as const
    if (ends[0] !== null && ends[1] !== null) return [ends[0], ends[1]]
  }
  return null
}

/** The name that words are, with or without the article before it. */
function nameIn(index: SafeIndex, text: string): string | null {
  const names = [text, text.replace(/^(the|an?)\s+/iu, '')]
  return names.find(name => findEntities(index, name).length > 0) ?? null
}

function search(index: SafeIndex, { query: asked = '', entities = [], ...question }: GraphQuestion): Ranking {
  const words = [asked, ...entities].filter(Boolean).join('\n')
  if (words === '' && isRanged(question)) return latestPassages(index, question)
  return query(index, { ...question, query: words })
}

/** The entities a question gives one after the other, or those that its words mean. */
function namesOf(index: SafeIndex, { query = '', entities = [], from, to }: GraphQuestion): Name[] {
  const given = [...entities, from, to].filter(text => text !== undefined)
  if (given.length > 0 || query === '') return given.map(text => nameOf(index, text))
  const whole = nameIn(index, query)
  if (whole !== null) return [nameOf(index, whole)]
  const names = new Map<string, Name>()
  for (const { text, entity } of link(index, query).links.toSorted((a, b) => a.from - b.from)) {
    const name = names.get(text) ?? { text, entities: [] }
    names.set(text, { text, entities: [...name.entities, entity] })
  }
  return [...names.values()]
}

const nameOf = (index: SafeIndex, text: string): Name => ({ text, entities: findEntities(index, text) })

function entity(index: SafeIndex, question: GraphQuestion): Ranking {
  const [name = nameOf(index, question.query ?? '')] = namesOf(index, question)
  return unknownNames(index, 'entity', [name]) ?? entityRanking(index, name, question)
}

function path(index: SafeIndex, question: GraphQuestion): Ranking {
  const { from, to, query = '', depth = longestPath } = question
  const ends = from === undefined && to === undefined ? endsIn(index, query) : null
  const names = ends?.map(text => nameOf(index, text)) ?? namesOf(index, pathEnds(question))
  const [start, goal] = names
  if (!start || !goal) return rankingOf(index, 'path', {})
  return unknownNames(index, 'path', [start, goal]) ?? pathRanking(index, [start, goal], depth, question)
}

/** `from` and `to`, the one that is missing being the first of the other names. */
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
