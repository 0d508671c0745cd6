import { words } from '../../../platform/common/words.js'
import { type ColumnFacts, columnFacts, isAddress } from './table-column.js'
import { isHeader } from './table-header.js'
import { isNaming, isOwnKey, isValue, referredTo, singularOf, wordsOf } from './table-words.js'

/** What a column is read as. */
type ColumnRole = 'name' | 'key' | 'link' | 'relation' | 'value'

export interface TableColumn {
  header: string
  /** The predicate of its relations, and its name in passages. */
  words: string
  role: ColumnRole
  /** Of links: the thing that its values identify; empty: other rows by their own address (IRI). */
  to: string
  separator: string | null
}

/** How a table is read, decided by its first rows. */
export interface TableReading {
  /** What a row is: `customer`. */
  thing: string
  columns: TableColumn[]
  /** Positions of the columns whose cells are a row's name, joined by a space; none: rows are numbered. */
  naming: number[]
  /** Whether each row has another name, as far as is known. */
  isNameUnique: boolean
  /** Position of the column that identifies a row, or null. */
  key: number | null
  /** Whether the first row has the names of the columns. */
  hasHeader: boolean
  /** Headers of other columns that could be the name, if it is unclear which is. */
  unclear: string[]
}

/**
 * Decides how a table is read.
 * @param name of the table: its file or sheet
 * @param rows the first ones, with the header if there is one
 * @param known `nameColumn`: the header of the column with the names, if somebody said so
 */
export function readingOf(
  name: string,
  rows: readonly string[][],
  known: { nameColumn?: string | undefined; hasHeader?: boolean } = {},
): TableReading {
  const hasHeader = known.hasHeader || isHeader(rows)
  const width = Math.max(...rows.map(row => row.length))
  const headers = headersOf(hasHeader ? (rows[0] ?? []) : [], width)
  const body = withoutNotes(hasHeader ? rows.slice(1) : rows)
  const facts = headers.map((header, at) =>
    columnFacts(
      header,
      body.map(row => row[at] ?? '').filter(cell => cell !== ''),
    ),
  )
  const tableThing = singularOf(wordsOf(name)) || 'row'
  const key = keyOf(facts, tableThing, body.length)
  const thing = (key !== null && referredTo(headers[key] ?? '')) || tableThing
  const { naming, unclear } = namingOf(facts, thing, body.length, key, known.nameColumn)
  const isIri = key !== null && (facts[key]?.addresses ?? 0) > 0.9
  const columns = facts.map((column, at): TableColumn => {
    const { header, words, separator } = column
    const role =
      at === key
        ? 'key'
        : naming.includes(at)
          ? 'name'
          : roleOf(column, body.length, { isIri, hasKey: key !== null })
    const to = role === 'link' ? linkTo(column, isIri, thing) : ''
    const predicate = role === 'link' && to !== '' ? withoutId(words, header) : words
    return {
      header,
      words: predicate || words,
      role,
      to,
      separator: role === 'relation' || to === '' ? separator : null,
    }
  })
  return { thing, columns, naming, isNameUnique: isUnique(naming, body), key, hasHeader, unclear }
}

/** Leaves out notes and sums below a table, which have few cells: they do not tell what a column is. */
function withoutNotes(rows: readonly string[][]): readonly string[][] {
  const filled = rows.map(row => row.filter(cell => cell !== '').length)
  const usual = [...filled].sort((a, b) => a - b)[filled.length >> 1] ?? 0
  let end = rows.length
  while (end > 0 && (filled[end - 1] ?? 0) * 2 <= usual) end--
  return rows.slice(0, end)
}

/** Columns of which the names of a thing are all there is to tell. */
function isUnique(naming: readonly number[], rows: readonly string[][]): boolean {
  const names = rows.map(row =>
    naming
      .map(at => row[at] ?? '')
      .join(' ')
      .toLowerCase(),
  )
  return naming.length > 0 && new Set(names).size === names.length
}

/** Every column has another name: `Column 2` where it has none, `city 2` where it has that of another. */
function headersOf(first: readonly string[], width: number): string[] {
  const seen = new Map<string, number>()
  return Array.from({ length: width }, (_, at) => {
    const header = first[at]?.slice(0, 120) || `Column ${at + 1}`
    const count = (seen.get(header) ?? 0) + 1
    seen.set(header, count)
    return count === 1 ? header : `${header} ${count}`
  })
}

/** The column that identifies each row: by its header, if its values are all there and all different. */
function keyOf(facts: readonly ColumnFacts[], thing: string, rows: number): number | null {
  const isKey = ({ filled, distinct, length }: ColumnFacts) =>
    filled === rows && distinct === rows && rows > 0 && length <= 200
  const found = facts.findIndex(
    (column, at) =>
      isKey(column) &&
      (isOwnKey(column.header) ||
        referredTo(column.header) === thing ||
        (at === 0 && referredTo(column.header) !== null)),
  )
  return found >= 0 ? found : keyBesideName(facts, rows, isKey)
}

/** Rows of which chance does not make the numbers of others all different. */
const MANY_ROWS = 20

/** `major_code` beside `major` in a table of majors, whatever it is called. */
function keyBesideName(
  facts: readonly ColumnFacts[],
  rows: number,
  isKey: (column: ColumnFacts) => boolean,
): number | null {
  if (rows < MANY_ROWS) return null
  const isNamed = (other: string | null) =>
    facts.some(column => isKey(column) && [`${other} name`, other].includes(column.words) && mayName(column))
  const found = facts.findIndex(column => isKey(column) && isNamed(referredTo(column.header)))
  return found < 0 ? null : found
}

const EXACT = new Set([
  'name',
  'title',
  'label',
  'full name',
  'display name',
  'titel',
  'nom',
  'nombre',
  'nome',
])
const LESS_LIKELY =
  /\b(?:first|last|given|family|middle|sur|user|nick|file|contact|ship|short|domain|host) ?name$/
const ALSO = words('subject headline caption question summary term word company product')

/** Of a column whose cells differ in nine rows of ten: such rows are known by them, although some are named alike. */
const LEAST_SCORE = 35

/** The columns with the names of the rows, best first by what their headers say and how their cells differ. */
function namingOf(
  facts: readonly ColumnFacts[],
  thing: string,
  rows: number,
  key: number | null,
  wanted?: string,
): { naming: number[]; unclear: string[] } {
  const chosen = facts.findIndex(({ header, words }) =>
    [header.toLowerCase(), words].includes(wanted?.trim().toLowerCase() ?? '\0'),
  )
  if (chosen >= 0) return { naming: [chosen], unclear: [] }
  const others = namesOfOthers(facts, thing)
  const scored = facts
    .map((column, at) => ({
      at,
      column,
      score: at === key || others.has(column.words) ? 0 : nameScore(column, thing, rows),
    }))
    .filter(({ score }) => score >= LEAST_SCORE)
    .sort((a, b) => b.score - a.score || a.at - b.at)
  const [best, second] = scored
  const first = facts.findIndex(({ words }) => /^(?:first|given|fore) ?name$/.test(words))
  const last = facts.findIndex(({ words }) => /^(?:last|family|sur) ?name$|^surname$/.test(words))
  if (first >= 0 && last >= 0 && (best?.score ?? 0) < 100) return { naming: [first, last], unclear: [] }
  if (!best)
    return {
      naming: [],
      unclear: facts
        .filter(column => couldName(column, rows))
        .map(({ header }) => header)
        .slice(0, 5),
    }
  const isClear = best.score >= 90 || !second || second.score <= best.score - 20
  const unclear = isClear ? [] : scored.slice(1, 6).map(({ column }) => column.header)
  return { naming: [best.at], unclear }
}

/** `customer name` beside `customer_id`, in a table of orders. */
function namesOfOthers(facts: readonly ColumnFacts[], thing: string): Set<string> {
  const others = facts
    .map(({ header }) => referredTo(header))
    .filter(other => other !== null && other !== thing)
  return new Set(others.flatMap(other => [`${other} name`, `${other}`]))
}

const mayName = ({ letters, addresses, dates, length, filled }: ColumnFacts) =>
  filled > 0 && letters > 0.9 && addresses < 0.1 && dates < 0.1 && length <= 80

/** Whether a person might say that a column has the names. */
const couldName = (column: ColumnFacts, rows: number) =>
  mayName(column) &&
  !isValue(column.words) &&
  referredTo(column.header) === null &&
  column.distinct > rows / 10

function nameScore(column: ColumnFacts, thing: string, rows: number): number {
  const { words, distinct, filled } = column
  if (!mayName(column) && !EXACT.has(words)) return 0
  if (filled < rows * 0.9 || rows === 0) return 0
  const differs = distinct / filled
  const unique = differs === 1 ? 30 : differs > 0.9 ? 15 : differs < 0.5 ? -60 : -20
  if (EXACT.has(words)) return 90 + unique
  if (words === `${thing} name` || words === thing) return 85 + unique
  if (words === `${thing} description`) return 60 + unique
  if (words.endsWith('name') && !LESS_LIKELY.test(words)) return 50 + unique
  if (ALSO.has(words)) return 45 + unique
  return isValue(words) || referredTo(column.header) !== null ? 0 : 20 + unique
}

/** Relations cost memory: at most this share of a column's cells may be different for it to be one. */
const REPEATS = 0.5
const FEW_ROWS = 12

function roleOf(
  column: ColumnFacts,
  rows: number,
  { isIri, hasKey }: { isIri: boolean; hasKey: boolean },
): ColumnRole {
  const { header, words, filled, distinct, numbers, dates, addresses, letters, length } = column
  if (filled === 0) return 'value'
  if (isIri && addresses > 0.9) return 'link'
  if (hasKey && OWN.test(words) && length <= 40) return 'link'
  if (addresses > 0.1 || dates > 0.5) return 'value'
  if (referredTo(header) !== null && length <= 40 && !isValue(words)) return 'link'
  if (numbers > 0.5 || letters < 0.5 || length > 60 || isValue(words)) return 'value'
  const repeats = distinct <= filled * REPEATS || (rows <= FEW_ROWS && distinct < filled)
  return repeats || isNaming(words) || column.separator !== null ? 'relation' : 'value'
}

/** Words for rows of the same table. */
const OWN = /^(?:parent|manager|boss|supervisor|reports to|superior|predecessor|successor)$/

function linkTo({ header, words }: ColumnFacts, isIri: boolean, thing: string): string {
  if (isIri) return ''
  const to = referredTo(header) ?? ''
  return OWN.test(to) || OWN.test(words) ? thing : to
}

const withoutId = (words: string, header: string) => referredTo(header) ?? words

/** Whether cells of a column with addresses of rows are several. */
export const addressesIn = (cell: string): string[] => cell.split(', ').filter(isAddress)

/** What is said of a table before its rows are added. */
export interface TableSummary {
  table: string
  /** What a row is. */
  thing: string
  hasHeader: boolean
  /** Headers of the columns with the names; empty: rows are numbered. */
  naming: string[]
  /** Headers that could be the name as well. */
  unclear: string[]
  columns: { header: string; role: ColumnRole; to: string }[]
  /** The first rows as they are read. */
  rows: string[]
}

/** What a reader of tables is told, and to whom it tells how it has read them. */
export interface TableSink {
  /** The header of the column with the names. */
  nameColumn?: string
  /** The rows of tables of the same import that have been read: what identifies them, by name in `normalizeName`'s form. */
  rows: Map<string, string>
  add(summary: TableSummary): void
}
