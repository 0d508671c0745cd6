import { words } from '../../../platform/common/words.js'
import type { ColumnFacts } from './table-column.js'
import { isNaming, isValue, referredTo } from './table-words.js'

/** A rule by which a table is read. Of a list of rules the first that fits decides. */
export interface Rule<Facts, Decision> {
  when(facts: Facts): boolean
  decision: Decision
  because: string
  /** A header, or what a column or a table may look like. */
  example: string
}

/** The rule that decides. The last one of a list fits always. */
export function ruleFor<Facts, Decision>(
  rules: readonly Rule<Facts, Decision>[],
  facts: Facts,
): Rule<Facts, Decision> {
  const found = rules.find(({ when }) => when(facts))
  if (!found) throw new Error('No rule fits.')
  return found
}

/** A column, and the table that it is in. */
export interface ColumnIn extends ColumnFacts {
  /** What a row is: `customer`. */
  thing: string
  rows: number
  /** Whether rows are identified by IRIs, or by any column. */
  isIri: boolean
  hasKey: boolean
}

const EXACT = /^(?:(?:full |display )?name|title|label|titel|nom|nombre|nome)$/
const LESS_LIKELY =
  /\b(?:first|last|given|family|middle|sur|user|nick|file|contact|ship|short|domain|host) ?name$/
const ALSO = words('subject headline caption question summary term word company product')
/** Words for rows of the same table. */
const OWN = /^(?:parent|manager|boss|supervisor|reports to|superior|predecessor|successor)$/

/** Whether a column refers to rows of the same table. */
export const isOwn = (header: string): boolean => OWN.test(header)

/** Whether cells may be names. */
export const mayName = ({ letters, addresses, dates, length, filled }: ColumnFacts): boolean =>
  filled > 0 && letters > 0.9 && addresses < 0.1 && dates < 0.1 && length <= 80

/** How much a column looks like the names of the rows by its header. Null: it is none, however its cells differ. */
export const NAME_RULES: readonly Rule<ColumnIn, number | null>[] = [
  {
    when: column => !mayName(column) && !EXACT.test(column.words),
    ...{ decision: null, because: 'its cells are no names', example: '2024-01-31' },
  },
  {
    when: ({ filled, rows }) => filled < rows * 0.9 || rows === 0,
    ...{ decision: null, because: 'rows have no cell in it', example: 'Nickname' },
  },
  {
    when: ({ words }) => EXACT.test(words),
    ...{ decision: 90, because: 'its header is a word for names', example: 'Title' },
  },
  {
    when: ({ words, thing }) => words === `${thing} name` || words === thing,
    ...{ decision: 85, because: 'its header is what a row is', example: 'customer_name' },
  },
  {
    when: ({ words, thing }) => words === `${thing} description`,
    ...{ decision: 60, because: 'its header describes what a row is', example: 'product description' },
  },
  {
    when: ({ words }) => words.endsWith('name') && !LESS_LIKELY.test(words),
    ...{ decision: 50, because: 'its header ends with name', example: 'Site name' },
  },
  {
    when: column => ALSO.has(column.words),
    ...{ decision: 45, because: 'its header is often one of names', example: 'Subject' },
  },
  {
    when: column => isValue(column.words) || referredTo(column.header) !== null,
    ...{ decision: null, because: 'its header is one of values, or of another thing', example: 'Phone' },
  },
  { when: () => true, decision: 20, because: 'its cells may be names', example: 'Colour' },
]

/** What that is worth by the share of its cells that differ. */
export const DIFFERENCE_RULES: readonly Rule<number, number>[] = [
  { when: share => share === 1, decision: 30, because: 'all cells differ', example: 'a, b, c, d' },
  { when: share => share > 0.9, decision: 15, because: 'nearly all cells differ', example: '20 of 21' },
  { when: share => share < 0.5, decision: -60, because: 'most cells repeat', example: 'a, a, a, b' },
  { when: () => true, decision: -20, because: 'some cells repeat', example: 'a, a, b, c' },
]

/** Relations cost memory: at most this share of a column's cells may be different for it to be one. */
const REPEATS = 0.5
const FEW_ROWS = 12

/** What a column is read as that neither names nor identifies the rows. */
export const ROLE_RULES: readonly Rule<ColumnIn, 'link' | 'relation' | 'value'>[] = [
  {
    when: ({ filled }) => filled === 0,
    ...{ decision: 'value', because: 'it has no cells', example: 'Empty' },
  },
  {
    when: ({ isIri, addresses }) => isIri && addresses > 0.9,
    ...{
      decision: 'link',
      because: 'its cells are addresses, as those of rows',
      example: 'https://a.example/1',
    },
  },
  {
    when: ({ hasKey, words, length }) => hasKey && isOwn(words) && length <= 40,
    ...{ decision: 'link', because: 'its header is a word for another row', example: 'Manager' },
  },
  {
    when: ({ addresses, dates }) => addresses > 0.1 || dates > 0.5,
    ...{ decision: 'value', because: 'its cells are addresses or dates', example: 'Born' },
  },
  {
    when: ({ header, words, length }) => referredTo(header) !== null && length <= 40 && !isValue(words),
    ...{ decision: 'link', because: 'its header refers to another thing', example: 'customer_id' },
  },
  {
    when: ({ numbers, letters, length, words }) =>
      numbers > 0.5 || letters < 0.5 || length > 60 || isValue(words),
    ...{
      decision: 'value',
      because: 'its cells are numbers or texts, or its header is one',
      example: 'Price',
    },
  },
  {
    when: ({ distinct, filled, rows }) =>
      distinct <= filled * REPEATS || (rows <= FEW_ROWS && distinct < filled),
    ...{ decision: 'relation', because: 'its cells repeat', example: 'Colour' },
  },
  {
    when: ({ words }) => isNaming(words),
    ...{ decision: 'relation', because: 'its header is one of names', example: 'City' },
  },
  {
    when: ({ separator }) => separator !== null,
    ...{ decision: 'relation', because: 'its cells have several values', example: 'red|green' },
  },
  { when: () => true, decision: 'value', because: 'its cells differ', example: 'Motto' },
]
