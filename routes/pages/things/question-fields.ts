import { type Static, Type } from '@sinclair/typebox'
import type { Question } from '../../../domain/safes/safe.js'
import { TextField } from '../params.js'

/** How a person can say that a question is to be answered. A walk needs steps, which have no fields. */
export const MODES = ['search', 'entity', 'path', 'overview'] as const

/** Tokens of what a page shows: twice those of an answer to an assistant, which pays for each. */
const MAX_TOKENS = 4_000

/** A question in an address: the text, and the exact fields of "Ask differently". */
export const QuestionFields = Type.Object({
  q: Type.Optional(TextField()),
  /** Empty: as the question says. */
  mode: Type.Optional(Type.Union([Type.Literal(''), ...MODES.map(mode => Type.Literal(mode))])),
  other_words: Type.Optional(TextField()),
  from: Type.Optional(TextField(200)),
  to: Type.Optional(TextField(200)),
  types: Type.Optional(TextField(500)),
  since: Type.Optional(TextField(40)),
  until: Type.Optional(TextField(40)),
  as_of: Type.Optional(TextField(40)),
  /** Folders, tags and documents, separated by commas; quoted, if they have commas. */
  in: Type.Optional(TextField()),
  cursor: Type.Optional(TextField(4096)),
})

/** What was entered, trimmed, without empty fields. */
export type Entered = Partial<Omit<Static<typeof QuestionFields>, 'cursor' | 'mode'>> & {
  mode?: (typeof MODES)[number]
}

/** What was entered into the fields of a question, and into no others. */
export function enteredIn({ cursor: _, ...fields }: Static<typeof QuestionFields>): Entered {
  const entries = Object.entries(fields)
    .filter(([name]) => Object.hasOwn(QuestionFields.properties, name))
    .map(([name, value]) => [name, value.trim()] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== ''))
}

/** The question of what was entered. Null if nothing was. */
export function questionOf(entered: Entered): Question | null {
  const { q, mode, other_words, from, to, types, since, until, as_of } = entered
  if (!q && !(from && to) && !types && mode !== 'overview') return null
  return {
    ...(mode && { mode }),
    ...(from && to ? { from, to } : q ? { query: q } : {}),
    ...(q && other_words ? { otherWords: other_words } : {}),
    ...(types && {
      types: listOf(types),
    }),
    ...(since && { since }),
    ...(until && { until }),
    ...(as_of && { asOf: as_of }),
    ...placesOf(entered),
    form: 'text',
    maxTokens: MAX_TOKENS,
  }
}

/** Where to look only. */
export function placesOf({ in: places = '' }: Entered): Pick<Question, 'in'> {
  const list = listOf(places)
  return list.length > 0 ? { in: list } : {}
}

/** A place as it is written in a list: quoted, if it has a comma. */
export const quotedPlace = (place: string) => (place.includes(',') ? `"${place}"` : place)

const listOf = (text: string) =>
  Array.from(text.matchAll(/ ?"[^",]*,[^"]*"|[^,]+/g), ([part]) =>
    part.trim().replace(/^"(.*)"$/, '$1'),
  ).filter(Boolean)
