import {
  dateOf,
  type GraphQuestion,
  isRanged,
  MAX_PATH_LENGTH,
  type Period,
  periodOf,
  type TimeRange,
} from '../../../engine/graph/index.js'
import { DomainError } from '../../../platform/common/domain-error.js'
import type { Limits } from '../documents/parts.js'
import type { Property } from '../documents/properties.js'
import type { Form, Question } from '../safe.js'
import { otherWordsOf } from './other-words.js'
import { timeBound } from './time-bound.js'

/** Maximum characters. */
const MAX_QUERY = 2048
const MAX_NAME = 200
const MAX_NAMES = 20
const MAX_PATH = 1_000
const MAX_STEPS = 6
const MAX_PROPERTIES = 10
const LIMIT = { usual: 10, most: 50 }
/** Modes without a time range. */
const TIMELESS = ['path', 'walk', 'overview']
const TOKENS = { usual: 2000, most: 20_000 }

/** A validated question with all defaults. */
export interface CheckedQuestion {
  /** The question to the index, without the page. */
  question: Omit<GraphQuestion, 'limit' | 'offset' | 'within'>
  /** The part of the Safe it is limited to; none: the whole Safe. */
  limits: Limits
  /** It lists documents by their last change. */
  recent: boolean
  /** The same for equal questions to the same Safe; a cursor belongs to it. */
  readonly identity: string
  limit: number
  cursor: string | null
  maxTokens: number
  characters: Question['characters']
  brief: boolean
  form: Form
  /** Sentences for the answer about how the question was read. */
  notes: string[]
}

/** @throws DomainError 400 with a sentence that explains what to ask instead */
export function checkedQuestion(safeId: string, question: Question): CheckedQuestion {
  const {
    limit,
    cursor,
    maxTokens,
    characters,
    detail,
    since,
    until,
    asOf,
    otherWords,
    in: places = [],
    where,
    recent = false,
    form = 'both',
    notes = [],
    ...fields
  } = question
  const otherPhrases = otherWordsOf(otherWords)
  const { phrases } = otherPhrases
  const checked: CheckedQuestion['question'] = {
    ...fields,
    ...rangeOf(since, until),
    ...(asOf !== undefined && { asOf: momentOf(asOf) }),
    mode: fields.mode ?? 'auto',
    ...(phrases.length > 0 && { otherWords: phrases }),
  }
  const limits = { in: places, where: propertiesOf(where) }
  checkTexts(checked)
  checkPlaces(places)
  if (recent) checkRecent(checked)
  else {
    checkLimits(limits, checked)
    checkMode(checked)
  }
  if (checked.depth !== undefined)
    within('depth', checked.depth, { usual: MAX_PATH_LENGTH, most: MAX_PATH_LENGTH })
  return {
    question: checked,
    limits,
    recent,
    get identity() {
      return JSON.stringify([
        safeId,
        ...places,
        ...limits.where,
        ...(recent ? ['recent'] : []),
        ...Object.entries(checked).sort(([a], [b]) => (a < b ? -1 : 1)),
      ])
    },
    limit: within('limit', limit, LIMIT),
    cursor: cursor ?? null,
    maxTokens: within('max_tokens', maxTokens, TOKENS),
    characters,
    brief: (detail ?? (recent ? 'brief' : 'full')) === 'brief',
    form,
    notes: [...notes, ...otherPhrases.notes, ...(recent && fields.query ? [QUERY_UNUSED] : [])],
  }
}

function rangeOf(since: string | undefined, until: string | undefined): TimeRange {
  const range: TimeRange = {}
  if (since !== undefined) range.since = timeBound('since', since)
  if (until !== undefined) range.until = timeBound('until', until)
  if (range.since !== undefined && range.until !== undefined && range.since > range.until)
    throw refused('"since" is later than "until". Swap them.')
  return range
}

/** A date means the whole day, month or year in UTC. */
function momentOf(text: string): Period {
  const date = dateOf(text)
  if (date !== null) return periodOf(date)
  throw refused(
    '"as_of" is a date like 2026-05-01, 2026-05 or 2026, or a time with its zone like 2026-05-01T09:30:00Z.',
  )
}

function checkTexts(question: CheckedQuestion['question']) {
  const { query, entities = [], from, to, steps = [], types = [], otherWords = [] } = question
  if (query?.trim() === '') throw refused('The query is empty. Ask with words that name what you look for.')
  if (query !== undefined && query.length > MAX_QUERY)
    throw refused(`The query is longer than ${MAX_QUERY} characters. Ask for less at once.`)
  if (entities.length > MAX_NAMES || types.length > MAX_NAMES)
    throw refused(`At most ${MAX_NAMES} entities and ${MAX_NAMES} types fit in one question.`)
  if (steps.length > MAX_STEPS) throw refused(`A walk has at most ${MAX_STEPS} steps. Ask in parts.`)
  const ends = [from, to].filter(name => name !== undefined)
  const names = [...entities, ...types, ...ends, ...steps.map(({ relation }) => relation)]
  if (names.some(name => name.trim() === '' || name.length > MAX_NAME))
    throw refused(`Names, types and relations are texts of 1 to ${MAX_NAME} characters.`)
  if ([query ?? '', ...names, ...otherWords].some(text => text.includes('\0')))
    throw refused('The query contains a NUL character.')
}

function checkPlaces(places: readonly string[]) {
  if (places.length > MAX_NAMES)
    throw refused(`At most ${MAX_NAMES} folders, tags and documents fit in "in".`)
  if (places.some(place => place.trim() === '' || place.length > MAX_PATH || place.includes('\0')))
    throw refused(
      `"in" names folders ("notes/"), tags ("tag:work") and documents, with 1 to ${MAX_PATH} characters each.`,
    )
}

/** The requested properties, each with a text, a number, true or false, or a list of them. */
function propertiesOf(where: Question['where'] = {}): Property[] {
  const properties = Object.entries(where).map(([key, given]): Property => {
    const values = [given].flat()
    if (!values.every(value => ['string', 'number', 'boolean'].includes(typeof value))) throw badWhere()
    return [key.trim(), values.map(value => String(value).trim())]
  })
  const isText = (text: string) => text !== '' && text.length <= MAX_NAME && !text.includes('\0')
  const isProperty = ([key, values]: Property) =>
    isText(key) && values.length > 0 && values.length <= MAX_NAMES && values.every(isText)
  if (properties.length > MAX_PROPERTIES || !properties.every(isProperty)) throw badWhere()
  return properties
}

const badWhere = () =>
  refused(
    `"where" gives up to ${MAX_PROPERTIES} properties and their values, like {"status": "draft"}. For any of several values, give a list of up to ${MAX_NAMES}.`,
  )

function checkLimits({ in: places, where }: Limits, question: CheckedQuestion['question']) {
  const { mode, from, to, steps = [] } = question
  const isPathOrWalk = mode === 'auto' && ((from !== undefined && to !== undefined) || steps.length > 0)
  if (places.length + where.length > 0 && (isPathOrWalk || mode === 'path' || mode === 'walk'))
    throw refused(
      `"${places.length > 0 ? 'in' : 'where'}" applies to mode "search", "entity" and "overview". For a path or a walk leave it out.`,
    )
}

const QUERY_UNUSED = '"recent" lists documents by their last change. The query was not used.'

function checkRecent({ mode, ...question }: CheckedQuestion['question']) {
  const others = Object.keys(question).filter(key => !['query', 'since', 'until', 'otherWords'].includes(key))
  if ((mode !== 'auto' && mode !== 'search') || others.length > 0)
    throw refused(
      '"recent" lists documents by their last change. Combine it with "in", "where", "since" and "until" only.',
    )
}

/** Checks that the question has what its mode needs, instead of guessing. */
function checkMode(question: CheckedQuestion['question']): void {
  const { mode, query, entities = [], from, to, steps = [] } = question
  const names = new Set([...entities, from, to].filter(name => name !== undefined)).size
  if (question.otherWords && query === undefined && names === 0)
    throw refused('"other_words" only add to a "query". Give the question itself as "query".')
  const hasSubject = query !== undefined || names > 0
  const isPathOrWalk = mode === 'auto' && ((from !== undefined && to !== undefined) || steps.length > 0)
  if (isRanged(question) && (isPathOrWalk || TIMELESS.some(name => name === mode)))
    throw refused(
      '"since" and "until" apply to mode "search" or "entity". For a path or a walk at one time use "as_of"; otherwise leave them out.',
    )
  if (isRanged(question) && question.asOf)
    throw refused('"as_of" asks for one time, "since" and "until" for a range. Leave out one of them.')
  const lists = isRanged(question) && names === 0
  if (mode === 'search' && query === undefined && entities.length === 0 && !lists)
    throw refused('Mode "search" needs a "query": a question or a few words.')
  if (mode === 'entity' && !hasSubject)
    throw refused('Mode "entity" needs a name: give it in "entities", or as the "query".')
  if (mode === 'path' && names < 2 && (query === undefined || names > 0))
    throw refused('Mode "path" needs two names: give them as "from" and "to".')
  if (mode === 'walk' && steps.length === 0)
    throw refused('Mode "walk" needs "steps", for example [{"relation": "works for", "direction": "out"}].')
  if ((mode === 'walk' || (mode === 'auto' && steps.length > 0)) && !hasSubject)
    throw refused('A walk needs to know where to start: give a name in "entities".')
}

function within(name: string, value: number | undefined, { usual, most }: { usual: number; most: number }) {
  if (value === undefined) return usual
  if (!Number.isInteger(value) || value < 1 || value > most) {
    throw refused(`${name} is a whole number from 1 to ${most}.`)
  }
  return value
}

const refused = (message: string) => new DomainError(400, 'invalid_query', message)
