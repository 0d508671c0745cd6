import { isDate, isHeading, isPlainValue } from './table-column.js'
import { type Rule, rule, ruleFor } from './table-rules.js'

/** A row of a table; lines count from 1. */
export interface Row {
  line: number
  cells: string[]
  /** Link targets of cells, by column index (from 0). */
  links?: ReadonlyMap<number, string> | undefined
}

/** Maximum rows above the header, such as a title and a date. */
const MAX_ABOVE = 10
/** Maximum rows of a header: column groups and the columns in them. */
const MAX_HEIGHT = 3
const MAX_HEADER_LENGTH = 120
/** Minimum values that classify a column, and the share of plain ones among them: there may be notes below a table. */
const MIN_BELOW = 2
const MOSTLY = 0.7
/** Minimum columns of a table in which a single sentence in a row is a note. */
const MIN_BESIDE = 3
const LONG = 60

/** Separates a table from the rows above it and merges its header into one row. */
export function beginOf(rows: readonly Row[]): { above: Row[]; rows: Row[] } {
  const from = beginAt(rows)
  let table = rows.slice(from)
  for (let height = 1; height < MAX_HEIGHT; height++) {
    const header = joined(table)
    if (!header) break
    table = [header, ...table.slice(2)]
  }
  return { above: rows.slice(0, from), rows: table }
}

/** Finds the first row of the table: rows above it have less than half the usual number of cells. */
function beginAt(rows: readonly Row[]): number {
  const filled = rows.map(({ cells }) => cells.filter(cell => cell !== '').length)
  const usual = [...filled].sort((a, b) => a - b)[filled.length >> 1] ?? 0
  const from = filled.findIndex(count => count >= Math.max(2, usual * 0.5))
  const start = from > 0 && from <= MAX_ABOVE ? from : 0
  for (let at = start + 1; at <= MAX_ABOVE && at < rows.length; at++) {
    const count = filled[at] ?? 0
    const isWider = count >= usual && filled.slice(0, at).every(above => above < count)
    if (isWider && isAboveValues(rows.slice(at).map(({ cells }) => cells))) return at
  }
  return start
}

/** Merges the first two rows if the second has separate headings below shared ones of the first; otherwise null. */
function joined([first, second, ...body]: readonly Row[]): Row | null {
  if (!first || !second?.cells.every(cell => cell === '' || isWord(cell))) return null
  const isNumbers = (at: number) => arePlain(body.map(({ cells }) => cells[at] ?? ''))
  const isUnder = (cell: string, at: number) => cell !== '' && !first.cells[at] && isNumbers(at)
  if (!first.cells.every(cell => cell === '' || isHeading(cell)) || !second.cells.some(isUnder)) return null
  let group = ''
  const width = Math.max(first.cells.length, second.cells.length)
  const cells = Array.from({ length: width }, (_, at) => {
    const [over, under] = [first.cells[at] ?? '', second.cells[at] ?? '']
    if (over !== '') group = under === '' ? '' : over
    return (under === '' ? over : `${group} ${under}`.trim()).slice(0, MAX_HEADER_LENGTH)
  })
  return { line: second.line, cells }
}

/** The first row, and the rows below it that differ from it. */
interface Top {
  first: readonly string[]
  rest: readonly string[][]
  rows: readonly string[][]
}

const isWithout = ({ first, rest }: Top, isHeadingToo: boolean) =>
  first.every((cell, at) => cell === '' || isPeriod(cell, rest, at) || (isHeadingToo && isHeading(cell)))
/** Whether most columns have no heading. Empty columns at the right and missing headings of word columns are allowed. */
const isBare = ({ first, rows }: Top) =>
  first.filter(cell => cell !== '').length < widthOf(rows) / 2 && !isAboveValues(rows)
const isInRows = ({ first, rest }: Top) =>
  first.some((cell, at) => cell !== '' && rest.filter(row => row[at] === cell).length > rest.length / 10)

/** Whether the first row contains the column names. */
export const HEADER_RULES: readonly Rule<Top, boolean>[] = [
  rule(false, 'it has years and dates only', '2023, 2024', top => isWithout(top, false)),
  rule(false, 'a cell is a number, a date or an address', 'Tea, 3', top => !isWithout(top, true)),
  rule(false, 'most columns have no heading', 'Costs, , , ', isBare),
  rule(false, 'a heading is a value of its own column', 'Ada above Ada', isInRows),
  rule(true, 'it has words above values', 'Item, Cost', () => true),
]

/** The rule that decides whether the first row is a header. */
export function headerRule(rows: readonly string[][]): Rule<Top, boolean> {
  const [first = [], ...below] = rows
  return ruleFor(HEADER_RULES, { first, rest: below.filter(row => !isSame(row, first)), rows })
}

/** Whether a row repeats the header, as at the top of each page of a list. */
export const isSame = (row: readonly string[], header: readonly string[]): boolean =>
  row.length === header.length && row.every((cell, at) => cell === header[at])

/** Whether a row is a note: a single sentence, as below a table. */
export function isNote(cells: readonly string[], columns: number): boolean {
  const [text = '', ...others] = columns < MIN_BESIDE ? [] : cells.filter(cell => cell !== '')
  return (
    others.length === 0 && (text.length > LONG || (/^[^\p{L}]/u.test(text) && /\p{L}{2} \p{L}/u.test(text)))
  )
}

/** Number of columns up to the last one with a value. */
const widthOf = (rows: readonly string[][]) =>
  rows.reduce((width, row) => Math.max(width, row.findLastIndex(cell => cell !== '') + 1), 0)

/** Whether a row has a heading for each column with plain values below; titles do not. */
export function isAboveValues([cells = [], ...body]: readonly string[][]): boolean {
  if (!cells.every(cell => cell === '' || isWord(cell))) return false
  const columns = cells.flatMap((heading, at) => (arePlain(body.map(row => row[at] ?? '')) ? [heading] : []))
  return columns.length > 0 && !columns.includes('')
}

const isWord = (cell: string) => isHeading(cell) && !isPlainValue(cell)

function arePlain(values: readonly string[]): boolean {
  const below = values.filter(cell => cell !== '')
  return (
    below.length >= Math.min(MIN_BELOW, values.length) &&
    below.length > 0 &&
    below.filter(isPlainValue).length >= below.length * MOSTLY
  )
}

/** Whether a cell is a year, or a date above other values: a column of a table over time. */
function isPeriod(cell: string, below: readonly string[][], at: number): boolean {
  if (/^(?:19|20)\d\d$/.test(cell)) return true
  if (!isDate(cell)) return false
  const values = below.map(row => row[at] ?? '').filter(value => value !== '')
  return values.filter(isDate).length * 2 < values.length
}
