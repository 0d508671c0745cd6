import { isDate, isHeading, isPlainValue } from './table-column.js'
import { rule, ruleFor, type TableRule } from './table-rules.js'

/** A row of a table; lines count from 1. */
export interface TableRow {
  line: number
  cells: string[]
  /** Link targets of cells, by column index (from 0). */
  links?: ReadonlyMap<number, string> | undefined
  /** The merged cells that begin in this row. */
  spans?: readonly Span[]
}

/** A merged cell with text: its first and last column, from 1, and how many rows below it covers. */
export interface Span {
  left: number
  right: number
  below: number
}

/** Maximum rows above the header, such as a title and a date. */
const MAX_ABOVE = 10
/** Maximum rows of a header: column groups and the columns in them. Cells merged over more rows are row headings. */
const MAX_HEIGHT = 8
const MAX_HEADER_LENGTH = 120
/** Minimum values that classify a column, and the share of plain ones among them: there may be notes below a table. */
const MIN_BELOW = 2
const MOSTLY = 0.7
/** Minimum columns of a table in which a single sentence in a row is a note. */
const MIN_BESIDE = 3
const LONG = 60
const YEAR = /^(?:19|20)\d\d$/

/** Separates a table from the rows above it and merges its header into one row. */
export function beginOf(rows: readonly TableRow[]): { above: TableRow[]; rows: TableRow[] } {
  const from = beginAt(rows)
  let table = rows.slice(from)
  for (let height = 1; height < MAX_HEIGHT; height++) {
    const header = joined(table, height > 1)
    if (!header) break
    table = [header, ...table.slice(2)]
  }
  return { above: rows.slice(0, from), rows: table }
}

/** Finds the first row of the table: rows above it have less than half the usual number of cells. */
function beginAt(rows: readonly TableRow[]): number {
  const filled = rows.map((row, at) => columnsIn(spread(row, rows[at + 1])).length)
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

/** The columns with text, from 1. */
const columnsIn = (cells: readonly string[]) => cells.flatMap((cell, at) => (cell === '' ? [] : [at + 1]))

/** The headings over several columns. A single one over all columns of the next row is a title. */
function groupsOf({ cells, spans = [] }: TableRow, next: TableRow | undefined): readonly Span[] {
  const wide = spans.filter(({ left, right }) => right > left)
  const [only] = columnsIn(cells).length === 1 ? wide : []
  const isTitle =
    only && columnsIn(next?.cells ?? []).every(at => only.left === 1 || (at >= only.left && at <= only.right))
  return isTitle ? [] : wide
}

/** The cells of a row, with headings over several columns in each of them. */
function spread(row: TableRow, next: TableRow | undefined): string[] {
  const groups = groupsOf(row, next)
  if (groups.length === 0) return row.cells
  const cells = [...row.cells]
  for (const { left, right } of groups) {
    while (cells.length < right) cells.push('')
    cells.fill(row.cells[left - 1] ?? '', left - 1, right)
  }
  return cells
}

/** Merges the first two rows if the second has separate headings below shared ones of the first; otherwise null. */
function joined([first, second, ...body]: readonly TableRow[], isBegun: boolean): TableRow | null {
  if (!first || !second) return null
  const isMerged = isBelowMerged(first, second, isBegun)
  if (!isMerged && !isBelowShared(first, second, body)) return null
  let group = ''
  const [above, below] = [spread(first, second), spread(second, body[0])]
  const cells = Array.from({ length: Math.max(above.length, below.length) }, (_, at) => {
    const [over, under] = [above[at] ?? '', below[at] ?? '']
    if (over !== '' || isMerged) group = under === '' || over === under ? '' : over
    return (under === '' ? over : `${group} ${under}`.trim()).slice(0, MAX_HEADER_LENGTH)
  })
  const open = (first.spans ?? []).flatMap(span =>
    span.below > 0 ? [{ ...span, below: span.below - 1 }] : [],
  )
  return { line: second.line, cells, spans: [...open, ...groupsOf(second, body[0])] }
}

/** Whether the second row belongs to a header with merged cells. */
function isBelowMerged(first: TableRow, second: TableRow, isBegun: boolean): boolean {
  const [groups, open] = [groupsOf(first, second), (first.spans ?? []).filter(({ below }) => below > 0)]
  if (groups.length + (isBegun ? open.length : 0) === 0 || open.some(({ below }) => below >= MAX_HEIGHT))
    return false
  if (![...first.cells, ...second.cells].every(cell => cell === '' || YEAR.test(cell) || isHeading(cell)))
    return false
  const isGrouped = (at: number) => groups.some(({ left, right }) => at >= left && at <= right)
  const own = columnsIn(second.cells).filter(at => second.cells[at - 1] !== first.cells[at - 1])
  // In a row with other text below text, the first one is a title in several cells.
  return (
    open.length > 0 ||
    (own.filter(isGrouped).length >= 2 && own.every(at => isGrouped(at) || !first.cells[at - 1]))
  )
}

/** Whether the second row has headings above numbers, below empty cells of the first. */
function isBelowShared(first: TableRow, second: TableRow, body: readonly TableRow[]): boolean {
  if (!second.cells.every(cell => cell === '' || isWord(cell))) return false
  const isNumbers = (at: number) => arePlain(body.map(({ cells }) => cells[at] ?? ''))
  const isUnder = (cell: string, at: number) => cell !== '' && !first.cells[at] && isNumbers(at)
  return first.cells.every(cell => cell === '' || isHeading(cell)) && second.cells.some(isUnder)
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
export const HEADER_RULES: readonly TableRule<Top, boolean>[] = [
  rule(false, 'it has years and dates only', '2023, 2024', top => isWithout(top, false)),
  rule(false, 'a cell is a number, a date or an address', 'Tea, 3', top => !isWithout(top, true)),
  rule(false, 'most columns have no heading', 'Costs, , , ', isBare),
  rule(false, 'a heading is a value of its own column', 'Ada above Ada', isInRows),
  rule(true, 'it has words above values', 'Item, Cost', () => true),
]

/** The rule that decides whether the first row is a header. */
export function headerRule(rows: readonly string[][]): TableRule<Top, boolean> {
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
  if (YEAR.test(cell)) return true
  if (!isDate(cell)) return false
  const values = below.map(row => row[at] ?? '').filter(value => value !== '')
  return values.filter(isDate).length * 2 < values.length
}
