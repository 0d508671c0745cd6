import { findString, stringAt } from '../collections/strings.js'
import { textsWithAll } from '../index/bm25.js'
import type { SafeIndex } from '../index/safe-index.js'
import { findName } from '../retrieval/find-entity.js'
import type { RowRange } from '../retrieval/part.js'
import type { Mode, PageRange } from '../retrieval/ranking.js'
import { isRanged, type TimeRange } from '../retrieval/time-range.js'
import { isMostlyEnglish } from '../text/languages/detect.js'
import {
  ABOUT_FORMS,
  DIFFERENCE_FORM,
  IN_SAFE,
  nameAbout,
  namesIn,
  OVERVIEW_FORMS,
  PAIR_FORM,
  PATH_FORMS,
  type PairForm,
  PEOPLE_FORM,
  TYPE_FORMS,
  withoutArticle,
} from '../text/languages/forms.js'
import { requestIn } from '../text/languages/requests.js'
import { lowerCase, normalizeName, singular, stem } from '../text/text.js'
import { trimEndOf } from '../text/trim-end.js'
import type { Step } from './walk.js'

/** A question to an index (GRAPH §5). Plain data that threads can exchange. */
export interface GraphQuestion extends PageRange, Omit<TimeRange, 'part'> {
  /** Limits the question to a part of the Safe: statements of rows that are in each of these lists. */
  within?: readonly (readonly RowRange[])[]
  /** Default `auto`. */
  mode?: Mode | 'auto'
  /** Words; may be empty or absent when other fields define the question. */
  query?: string
  /** Names. */
  entities?: readonly string[]
  from?: string
  to?: string
  steps?: readonly Step[]
  /** Maximum relations of a path, at most 4. */
  depth?: number
  types?: readonly string[]
  /** Phrases, for searches only. */
  otherWords?: readonly string[]
}

/**
 * Longer questions, in characters, are not matched against these forms, which consist of names and few other
 * words.
 */
const MAX_FORM_LENGTH = 400

/** Trims white space and punctuation and collapses gaps to single blanks, as the forms expect. */
const tidied = (query: string): string =>
  trimEndOf(query.replace(/\s+/gu, ' '), ' ?.!\u037e\u060c\u061f\u06d4\u0964\u3002\uff01\uff1f').replace(
    /^[ \u00a1\u00bf]+/u,
    '',
  )

/**
 * Chooses the mode of a question (GRAPH §4), first by its fields, then by its words: two names to connect →
 * path; names, alone or asked about → entity; the whole Safe → overview; a type → overview of its entities;
 * otherwise search.
 */
export function withMode(index: SafeIndex, question: GraphQuestion): GraphQuestion {
  const { query = '', entities = [], from, to, types = [], steps = [] } = question
  if (from !== undefined && to !== undefined) return { ...question, mode: 'path' }
  if (steps.length > 0) return { ...question, mode: 'walk' }
  if (query === '') {
    const isNamed = entities.length > 0 || from !== undefined || to !== undefined
    if (isNamed) return { ...question, mode: 'entity' }
    return { ...question, mode: isRanged(question) ? 'search' : 'overview' }
  }
  if (entities.length > 0) return { ...question, mode: 'search' }
  const whole = ofWords(index, { ...question, query, types })
  const core = whole.mode === 'search' ? withoutRequest(query) : query
  if (core === query) return whole
  const { query: readCore, ...rest } = ofWords(index, { ...question, query: core, types })
  return readCore === undefined ? rest : { ...rest, query }
}

/** "Could you please tell me who is Ada?" becomes "who is Ada". */
function withoutRequest(query: string): string {
  const { start, end } = requestIn(query)
  if (start === 0 && end === query.length) return query
  return query.slice(start, end).replace(/^[\s,:]{0,9}(?:about )?/iu, '')
}

function ofWords(
  index: SafeIndex,
  question: GraphQuestion & { query: string; types: readonly string[] },
): GraphQuestion {
  const { types } = question
  const query = tidied(question.query)
  if (query.length > MAX_FORM_LENGTH) return { ...question, mode: 'search' }
  const lower = lowerCase(query)
  const names = (...texts: string[]): GraphQuestion => ({ ...question, mode: 'entity', entities: texts })
  const [difference, pair] = [DIFFERENCE_FORM, PAIR_FORM].map(form => pairIn(index, [form], query, lower))
  if (types.length === 0 && difference) return names(...difference)
  // A path has no passages, so it cannot answer for a time range.
  const ends = isRanged(question) || question.within ? null : pairIn(index, PATH_FORMS, query, lower)
  if (ends) return { ...question, mode: 'path', from: ends[0], to: ends[1] }
  if (types.length > 0) return { ...question, mode: 'search' }
  for (const form of ABOUT_FORMS) {
    const name = nameIn(index, nameAbout(form, query, lower))
    if (name !== null) return names(name)
  }
  if (pair) return names(...pair)
  if (OVERVIEW_FORMS.some(form => form.test(lower))) {
    // In a time range, which facts do not have, all passages of it.
    const { query: _query, ...rest } = question
    return { ...rest, mode: isRanged(question) ? 'search' : 'overview' }
  }
  const ofSafe = lower.replace(IN_SAFE, '')
  const type = typeIn(index, PEOPLE_FORM.test(ofSafe) ? 'people' : ofSafe)
  return type === null || isRanged(question)
    ? { ...question, mode: 'search' }
    : { ...question, mode: 'overview', types: [type] }
}

/** The ends in "between X and Y" or "from X to Y", if both are names in this Safe. */
export function endsIn(index: SafeIndex, query: string): [string, string] | null {
  const tidy = tidied(query)
  return tidy.length > MAX_FORM_LENGTH ? null : pairIn(index, PATH_FORMS, tidy, lowerCase(tidy))
}

function pairIn(
  index: SafeIndex,
  forms: readonly PairForm[],
  query: string,
  lower: string,
): [string, string] | null {
  for (const form of forms) {
    const [one = '', other = ''] = namesIn(form, query, lower) ?? []
    const from = nameIn(index, one)
    const to = from === null ? null : nameIn(index, other)
    if (from !== null && to !== null) return [from, to]
  }
  return null
}

/**
 * The name of an entity named in the Safe's rows: these words or an inflected form, with or without a leading
 * article.
 */
export function nameIn(index: SafeIndex, text: string): string | null {
  if (text === '') return null
  const bare = withoutArticle(text)
  const names = bare === text || bare === '' ? [text] : [text, bare]
  const exact = names.find(name => index.isNamed[findName(index, name).entities[0] ?? -1] === 1)
  return exact ?? inflectedName(index, names.at(-1) ?? text)
}

/** Limits for inflected names: postings read, and words. */
const MAX_POSTINGS = 2_000
const MAX_NAME_LENGTH = 10

/**
 * The key of an entity whose name consists of exactly these words in other forms: "Москвой" for "Москва". Not
 * used in English, which hardly inflects names.
 */
function inflectedName(index: SafeIndex, text: string): string | null {
  if (isMostlyEnglish(index.languages) || text.length > 100) return null
  const words = index.workspace.stems.of(index.languages).termsIn(text)
  if (words.length === 0 || words.length > MAX_NAME_LENGTH) return null
  const entity = textsWithAll(index.workspace, index.names, words, MAX_POSTINGS)
    .filter(name => index.names.lengths[name] === words.length)
    .map(name => index.nameOf[name] ?? 0)
    .find(entity => index.isNamed[entity] === 1)
  return entity === undefined ? null : stringAt(index.entities, entity)
}

/** The type whose entities a question asks for, in singular or plural. */
function typeIn(index: SafeIndex, query: string): string | null {
  const { types } = index
  // Number 0 means no type.
  if (types.size <= 1) return null
  const tried = new Set<string>()
  for (const form of TYPE_FORMS) {
    const candidate = normalizeName(form.exec(query)?.[1] ?? '')
    if (candidate === '' || tried.has(candidate)) continue
    tried.add(candidate)
    // "houses" is not a plural of "hous"; "people" and "children" are plurals that only their stems reveal.
    const forms = [candidate, singular(candidate), candidate.replace(/s$/, ''), stem(candidate)]
    const type =
      forms.find(name => name !== '' && findString(types, name) > 0) ?? inflectedType(index, candidate)
    if (type !== null) return type
  }
  return null
}

/** Types compared by their stems. */
const MAX_TYPES = 1_000

/** The type with this name in another inflection, in a Safe that is not English. */
function inflectedType({ types, languages, workspace }: SafeIndex, name: string): string | null {
  if (isMostlyEnglish(languages) || name === '' || name.length > 100) return null
  const cache = workspace.stems.of(languages)
  const wanted = cache.termsIn(name)
  for (let type = 1; type < Math.min(types.size, MAX_TYPES); type++) {
    const words = cache.termsIn(stringAt(types, type))
    const isSame =
      words.length === wanted.length && words.every((of, at) => of.some(stem => wanted[at]?.includes(stem)))
    if (isSame && words.length > 0) return stringAt(types, type)
  }
  return null
}
