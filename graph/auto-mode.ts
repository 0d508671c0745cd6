import type { GraphQuestion } from './evaluate.js'
import { findName } from './find-entity.js'
import type { SafeIndex } from './safe-index.js'
import { findString } from './strings.js'
import { normalizeName, singular, stem } from './text.js'
import { isRanged } from './time-range.js'

/** Two names of which a question asks for the connection, `from` first. */
const pathForms = [
  /\bbetween (.+?) and (.+?)$/iu,
  /\bfrom (.+?) to (.+?)$/iu,
  /^how (?:is|are|was|were) (.+?) (?:related|connected|linked) (?:to|with) (.+?)$/iu,
  /^how (?:are|were) (.+?) and (.+?) (?:related|connected|linked)(?: (?:to|with) each other)?$/iu,
]
/** Two names that a question compares. */
const pairForms = [
  /\bdifferences? between (.+?) and (.+?)$/iu,
  /^(?:compare )?(.+?) (?:and|with|to|vs\.?|versus) (.+?)$/iu,
]
/** A name or a type that is all a question asks about. */
const aboutForms = [
  /^(?:who|what)(?: (?:is|are|was|were)|['\u2019]s) (.+?)$/iu,
  /^(?:please )?tell me (?:(?:more|all|everything) )?(?:you know )?about (.+?)$/iu,
  /^what do (?:you|we|i) know about (.+?)$/iu,
  /^(.+?)$/u,
]
const typeForms = [
  /^(?:list|show|name) (?:me )?(?:all )?(?:of )?(?:the )?(.+?)$/iu,
  /^(?:which|what) (.+?) (?:are|is) there$/iu,
  /^(?:all )?(?:the )?(.+?)$/iu,
]

/** Characters of the longest question that is tried as one of these forms: names, and the few words between them. */
const longestForm = 400

/** Without white space and signs around it, each gap one blank: what the forms are written for, and quick to match. */
const tidied = (query: string): string =>
  query
    .replace(/\s+/gu, ' ')
    .replace(/[ ?.!]+$/u, '')
    .trimStart()

/**
 * The question in the mode that fits it (GRAPH §4): what fields are given decides, then what the words are. Two names
 * that are to be connected → path; names, alone or asked about → entity; a type → overview of its entities; else search.
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
  return ofWords(index, { ...question, query, types })
}

function ofWords(
  index: SafeIndex,
  question: GraphQuestion & { query: string; types: readonly string[] },
): GraphQuestion {
  const { types } = question
  const query = tidied(question.query)
  if (query.length > longestForm) return { ...question, mode: 'search' }
  const names = (...asked: string[]): GraphQuestion => ({ ...question, mode: 'entity', entities: asked })
  const [difference, pair] = pairForms.map(form => pairIn(index, [form], query))
  if (types.length === 0 && difference) return names(...difference)
  // A path has no passages that could lie in a range of time.
  const ends = isRanged(question) ? null : endsIn(index, query)
  if (ends) return { ...question, mode: 'path', from: ends[0], to: ends[1] }
  if (types.length > 0) return { ...question, mode: 'search' }
  for (const form of aboutForms) {
    const name = nameIn(index, form.exec(query)?.[1] ?? '')
    if (name !== null) return names(name)
  }
  if (pair) return names(...pair)
  const type = typeIn(index, query)
  return type === null || isRanged(question)
    ? { ...question, mode: 'search' }
    : { ...question, mode: 'overview', types: [type] }
}

/** The ends that "between X and Y" or "from X to Y" names, if both are names of this Safe. */
export function endsIn(index: SafeIndex, query: string): [string, string] | null {
  const asked = tidied(query)
  return asked.length > longestForm ? null : pairIn(index, pathForms, asked)
}

function pairIn(index: SafeIndex, forms: readonly RegExp[], query: string): [string, string] | null {
  for (const form of forms) {
    const [, one = '', other = ''] = form.exec(query) ?? []
    const [from, to] = [nameIn(index, one), nameIn(index, other)]
    if (from !== null && to !== null) return [from, to]
  }
  return null
}

/** The name of an entity that the Safe's rows name: these words, with or without the article before them. */
export function nameIn(index: SafeIndex, text: string): string | null {
  if (text === '') return null
  const names = [text, text.replace(/^(the|an?)\s+/iu, '')]
  return names.find(name => (findName(index, name).entities[0] ?? index.named) < index.named) ?? null
}

/** The type of which a question asks for all entities, in the singular or the plural. */
function typeIn({ types }: SafeIndex, query: string): string | null {
  for (const form of typeForms) {
    const asked = normalizeName(form.exec(query)?.[1] ?? '')
    // "houses" is no plural of "hous"; "people" and "children" are plurals that only their stems tell.
    const forms = [asked, singular(asked), asked.replace(/s$/, ''), stem(asked)]
    const type = forms.find(name => name !== '' && findString(types, name) > 0)
    if (type !== undefined) return type
  }
  return null
}
