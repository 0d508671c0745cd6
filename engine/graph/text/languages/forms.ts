import { lowerCase } from '../text.js'
import { WORDS } from './words.js'

/**
 * Forms of questions that only name something, from `words.json`. A form matches only where its parts are names in the
 * Safe, so one form can serve several languages.
 *
 * Questions are matched in lower case: expressions that ignore case take three times as long to compile and twice the
 * memory.
 */

/**
 * A question with two names: what is before the first, between them (including blanks) and after the second, where nothing
 * is unless it is given. Matching takes linear time: each expression is searched for once and its first match is used.
 */
export type PairForm = readonly [before: RegExp, between: RegExp, behind?: RegExp | undefined]

/** The two names of a question in this form, or null. `lower` is the question in lower case. */
export function namesIn(
  [before, between, behind = /$/u]: PairForm,
  question: string,
  lower = lowerCase(question),
): [string, string] | null {
  const start = before.exec(lower)
  if (!start) return null
  const one = start.index + start[0].length
  const gap = findInside(between, lower.slice(one))
  if (!gap) return null
  const other = one + gap.index + gap.length
  const end = findInside(behind, lower.slice(other))
  return end && [question.slice(one, one + gap.index), question.slice(other, other + end.index)]
}

/** The first match of the expression after at least one character. */
function findInside(expression: RegExp, text: string): { index: number; length: number } | null {
  const [first = ''] = text
  const found = first && expression.exec(text.slice(first.length))
  return found ? { index: first.length + found.index, length: found[0].length } : null
}

const { parts, ...FORMS } = WORDS.forms

/** Replaces the names of parts in braces by the parts. */
const filled = (pattern: string): string =>
  pattern.replace(/\{([a-z]+)\}/g, (_, name: string) => filled(parts[name] ?? ''))

/** A pattern of `words.json`. All are anchored or searched for once, without nested repetition. */
const form = (pattern: string, flags = 'u') => new RegExp(filled(pattern), flags)
const pairForm = ([before, between, behind]: readonly string[]): PairForm => [
  form(before ?? ''),
  form(between ?? ''),
  behind === undefined ? undefined : form(behind),
]

/** Questions for the connection of two names, `from` first. */
export const PATH_FORMS: readonly PairForm[] = FORMS.path.map(pairForm)
/** Questions for the difference of two names. */
export const DIFFERENCE_FORM: PairForm = pairForm(FORMS.difference)
/** Two names and nothing else. */
export const PAIR_FORM: PairForm = pairForm(FORMS.pair)
/** Questions about a single name, which is their group. */
export const ABOUT_FORMS: readonly RegExp[] = FORMS.about.map(pattern => form(pattern, 'du'))
/** Questions for all entities of a type. */
export const TYPE_FORMS: readonly RegExp[] = FORMS.type.map(pattern => form(pattern))
/** Questions for a whole Safe ("What is in this Safe?"), which have no words that occur in its texts. */
export const OVERVIEW_FORMS: readonly RegExp[] = FORMS.overview.map(pattern => form(pattern))
/** Questions for the people of a Safe, under any type name. */
export const PEOPLE_FORM: RegExp = form(FORMS.people)
/** "in it", "in this Safe" at the end of a question, which every question here implies. */
export const IN_SAFE: RegExp = form(FORMS.inSafe)
/** Articles before a name. */
export const ARTICLE: RegExp = form(FORMS.article)
/** The beginning of a request: the action it asks for, or only a greeting. */
export const OPENINGS: readonly RegExp[] = FORMS.openings.map(pattern => form(pattern))
/** How a request ends. */
export const CLOSING: RegExp = form(FORMS.closing)

/** The text without an article at its beginning. */
export const withoutArticle = (text: string): string =>
  text.slice(ARTICLE.exec(lowerCase(text))?.[0].length ?? 0)

/** The name in a question in this form of `ABOUT_FORMS`, or an empty string. `lower` is the question in lower case. */
export function nameAbout(form: RegExp, question: string, lower: string): string {
  const place = form.exec(lower)?.indices?.[1]
  return place ? question.slice(...place) : ''
}
