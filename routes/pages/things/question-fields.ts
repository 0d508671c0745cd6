import { type Static, Type } from '@sinclair/typebox'
import type { Question } from '../../../domain/safes/safe.js'
import { TextField } from '../params.js'

/** The kinds of answers that a person can choose. A walk needs steps, which have no fields. */
export const MODES = ['search', 'entity', 'path', 'overview'] as const

/** Tokens of an answer on a page: twice those of an answer to an assistant, which pays for each. */
const MAX_TOKENS = 4_000

/** A question in an address: the text, and the exact fields of "Ask differently". */
export const QuestionFields = Type.Object({
  q: Type.Optional(TextField()),
  /** Empty: derived from the question. */
  mode: Type.Optional(Type.Union([Type.Literal(''), ...MODES.map(mode => Type.Literal(mode))])),
  other_words: Type.Optional(TextField()),
  from: Type.Optional(TextField(200)),
  to: Type.Optional(TextField(200)),
  types: Type.Optional(TextField(500)),
  since: Type.Optional(TextField(40)),
  until: Type.Optional(TextField(40)),
  as_of: Type.Optional(TextField(40)),
  /** Folders, tags, documents and properties, separated by commas; quoted, if they have commas. */
  in: Type.Optional(TextField()),
  cursor: Type.Optional(TextField(4096)),
})

/** The entered values, trimmed, without empty fields. */
export type Entered = Partial<Omit<Static<typeof QuestionFields>, 'cursor' | 'mode'>> & {
  mode?: (typeof MODES)[number]
}

/** What was entered into the fields of a question, and into no others. Words of the question such as `tag:work` fill in fields. */
export function enteredIn({ cursor: _, ...fields }: Static<typeof QuestionFields>): Entered {
  const entries = Object.entries(fields)
    .filter(([name]) => Object.hasOwn(QuestionFields.properties, name))
    .map(([name, value]) => [name, value.trim()] as const)
  const entered = Object.fromEntries(entries.filter(([, value]) => value !== ''))
  return { ...entered, ...(entered.q ? fieldsInWords(entered.q, entered) : {}) }
}

/** The fields of `in:work/`, `tag:"two words"`, `after:2024` and `type:person`. */
const OPERATORS = new Map<string, 'in' | 'since' | 'types'>([
  ['in', 'in'],
  ['tag', 'in'],
  ['after', 'since'],
  ['type', 'types'],
])

function fieldsInWords(text: string, before: Entered): Entered {
  const found: Entered = {}
  const words = wordsOf(text).filter(word => {
    const name = word.slice(0, word.indexOf(':'))
    const value = word.slice(name.length + 1)
    const field = OPERATORS.get(name)
    if (!field || value === '') return true
    const place = quotedPlace(name === 'tag' ? word : value)
    found[field] = [found[field] ?? before[field], place].filter(Boolean).join(',')
    return false
  })
  return Object.keys(found).length === 0 ? {} : { ...found, q: words.join(' ') }
}

/** Words between spaces; quotes keep several together. */
function wordsOf(text: string): string[] {
  const words = ['']
  let isQuoted = false
  for (const char of text) {
    if (char === '"') isQuoted = !isQuoted
    else if (!isQuoted && char.trim() === '') words.push('')
    else words.push(`${words.pop()}${char}`)
  }
  return words.filter(word => word !== '')
}

/** The question from the entered values. Null if there are none. */
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

/** Where to look only: places, and properties like "where:status=draft". */
export function placesOf({ in: entered = '' }: Entered): Pick<Question, 'in' | 'where'> {
  const properties = new Map<string, string[]>()
  const places = listOf(entered).filter(entry => {
    const [, key = '', value] = PROPERTY.exec(entry) ?? []
    if (value !== undefined) properties.set(key, [...(properties.get(key) ?? []), value])
    return value === undefined
  })
  const where = properties.size > 0 && { where: Object.fromEntries(properties) }
  return { ...(places.length > 0 && { in: places }), ...where }
}

const PROPERTY = /^where:([^=]+)=(.+)$/i

/** A place as it is written in a list: quoted, if it has a comma. */
export const quotedPlace = (place: string) => (place.includes(',') ? `"${place}"` : place)

const listOf = (text: string) =>
  Array.from(text.matchAll(/ ?"[^",]*,[^"]*"|[^,]+/g), ([part]) =>
    part.trim().replace(/^"(.*)"$/, '$1'),
  ).filter(Boolean)
