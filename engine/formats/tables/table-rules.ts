import { words } from '../../../platform/common/words.js'
import type { ColumnFacts } from './table-column.js'
import { isListing, isNaming, isValue } from './table-words.js'

/** A rule for reading tables. The first matching rule of a list decides. */
export interface TableRule<Facts, Decision> {
  when(facts: Facts): boolean
  decision: Decision
  because: string
  /** A header, or an example of a column or table. */
  example: string
}

/** Creates a rule; the condition comes last. */
export const rule = <Facts, Decision>(
  decision: Decision,
  because: string,
  example: string,
  when: (facts: Facts) => boolean,
): TableRule<Facts, Decision> => ({ when, decision, because, example })

/** The deciding rule. The last rule of a list always matches. */
export function ruleFor<Facts, Decision>(
  rules: readonly TableRule<Facts, Decision>[],
  facts: Facts,
): TableRule<Facts, Decision> {
  const found = rules.find(({ when }) => when(facts))
  if (!found) throw new Error('No rule fits.')
  return found
}

/** A column with facts about its table. */
export interface ColumnIn extends ColumnFacts {
  /** The type of a row: `customer`. */
  thing: string
  rows: number
  /** Whether rows are identified by IRIs, and whether by any column. */
  isIri: boolean
  hasKey: boolean
}

const EXACT = /^(?:(?:full |display )?name|title|label|titel|nom|nombre|nome)$/
const LESS_LIKELY =
  /\b(?:first|last|given|family|middle|sur|user|nick|file|contact|ship|short|domain|host) ?name$/
const ALSO = words('subject headline caption question summary term word company product')
/** Words for other rows of the same table. */
const OWN = /^(?:parent|manager|boss|supervisor|reports to|superior|predecessor|successor)$/

/** Whether a column refers to rows of the same table. */
export const isOwn = (header: string): boolean => OWN.test(header)

/** Whether the cells of a column may be names. */
export const mayName = ({ letters, addresses, dates, length, filled }: ColumnFacts): boolean =>
  filled > 0 && letters > 0.9 && addresses < 0.1 && dates < 0.1 && length <= 80

const isKindOfName = ({ words }: ColumnIn) => /name$/.test(words) && !LESS_LIKELY.test(words)
const isOfOther = ({ words, refers }: ColumnIn) => isValue(words) || refers !== null

/** How likely a column contains the names of the rows, by its header. Null: never, even if its cells are distinct. */
export const NAME_RULES: readonly TableRule<ColumnIn, number | null>[] = [
  rule(null, 'its cells are no names', '2024-01-31', column => !mayName(column) && !EXACT.test(column.words)),
  rule(null, 'rows have no cell in it', 'Nickname', ({ filled, rows }) => filled < rows * 0.9 || rows === 0),
  rule(90, 'its header is a word for names', 'Title', ({ words }) => EXACT.test(words)),
  rule(85, 'it is called as a row', 'customer_name', ({ words, thing }) => isNameOf(thing, words)),
  rule(60, 'it describes a row', 'item description', ({ words, thing }) => words === `${thing} description`),
  rule(50, 'it is a kind of name', 'Site name', isKindOfName),
  rule(45, 'its header is often one of names', 'Subject', ({ words }) => ALSO.has(words)),
  rule(null, 'it is a value, or of another thing', 'Phone', isOfOther),
  rule(20, 'its cells may be names', 'Colour', () => true),
]

const isNameOf = (thing: string, header: string) => header === thing || header === `${thing} name`

/** Points added for the share of distinct cells. */
export const DIFFERENCE_RULES: readonly TableRule<number, number>[] = [
  rule(30, 'all cells differ', 'a, b, c, d', share => share === 1),
  rule(15, 'nearly all cells differ', '20 of 21', share => share > 0.9),
  rule(-60, 'most cells repeat', 'a, a, a, b', share => share < 0.5),
  rule(-20, 'some cells repeat', 'a, a, b, c', () => true),
]

/** Maximum share of distinct cells in a relation column, because relations cost memory. */
const REPEATS = 0.5
const FEW_ROWS = 12

const isOfTable = ({ hasKey, words, length }: ColumnIn) => hasKey && isOwn(words) && length <= 40
const hasAddresses = ({ addresses, dates }: ColumnIn) => addresses > 0.1 || dates > 0.5
const isReference = ({ refers, words, length }: ColumnIn) =>
  refers !== null && length <= 40 && !isValue(words)
const isPlain = ({ numbers, letters, length, words }: ColumnIn) =>
  numbers > 0.5 || letters < 0.5 || length > 60 || isValue(words)
const repeats = ({ distinct, filled, rows }: ColumnIn) =>
  distinct <= filled * REPEATS || (rows <= FEW_ROWS && distinct < filled)

/** How a column is read that neither names nor identifies the rows. */
export const ROLE_RULES: readonly TableRule<ColumnIn, 'link' | 'relation' | 'value'>[] = [
  rule('value', 'it has no cells', 'Empty', ({ filled }) => filled === 0),
  rule('link', 'it has IRIs, as rows do', 'urn:a:1', ({ isIri, addresses }) => isIri && addresses > 0.9),
  rule('link', 'it is another row', 'Manager', isOfTable),
  rule('value', 'it has addresses or dates', 'Born', hasAddresses),
  rule('link', 'it refers to another thing', 'customer_id', isReference),
  rule('relation', 'its cells are lists', 'Tags', ({ words, letters }) => isListing(words) && letters > 0.5),
  rule('value', 'it has numbers or texts', 'Price', isPlain),
  rule('relation', 'its cells repeat', 'Colour', repeats),
  rule('relation', 'its header is one of names', 'City', ({ words }) => isNaming(words)),
  rule('relation', 'its cells have several values', 'red|green', ({ separator }) => separator !== null),
  rule('value', 'its cells differ', 'Motto', () => true),
]
