import type { Parsed } from '../../graph/index.js'
import { baseName } from '../shared/file-name.js'
import type { SourceFile } from '../shared/format.js'
import { Table } from './table.js'
import { isHeading } from './table-column.js'
import { beginOf, headerRule, isAboveValues, isSame, type TableRow } from './table-header.js'
import { rule, ruleFor, type TableRule } from './table-rules.js'
import { isColumnName } from './table-words.js'

/** Rows used to detect another table, and rows of the table above that are compared. */
const COMPARED = 12
const KEPT = 40
/** Maximum title rows above a table, with one cell each. */
const MAX_TITLES = 3
const MAX_TITLE_LENGTH = 80
/** Minimum rows of a table, and of one with two columns: fewer may be notes above another table. */
const MIN_ROWS = 2
const MIN_OF_PAIRS = 5
const MAX_TABLES = 200

/**
 * Separates the tables of one sheet or file. A table begins after empty rows, with its own header. If that is
 * uncertain, rows belong to the table above.
 */
export class StackedTables {
  readonly #out: Parsed[]
  readonly #file: SourceFile | undefined
  readonly #sheet: string | undefined
  #table: Table
  /** The first rows of the table. */
  #first: TableRow[] = []
  /** Rows after an empty one until their table is decided; null if there is no empty row. */
  #waiting: TableRow[] | null = null
  readonly #names = new Set<string>()

  /** @param out receives the records @param sheet the sheet name inside a file with several */
  constructor(out: Parsed[], file: SourceFile | undefined, sheet?: string) {
    this.#out = out
    this.#file = file
    this.#sheet = sheet
    this.#table = new Table(out, file, sheet)
    this.#names.add(sheet ?? baseName(file?.path ?? 'table'))
  }

  add(row: TableRow): void {
    if (row.cells.every(cell => cell.trim() === '')) this.gap()
    else if (!this.#waiting) this.#push(row)
    else if (this.#waiting.push(row) >= COMPARED + MAX_TITLES) this.#decide()
  }

  /** Reads an empty row. */
  gap(): void {
    const waiting = this.#waiting
    const isTitle = waiting && waiting.length <= MAX_TITLES && waiting.every(isAlone)
    if (waiting && !isTitle) this.#decide()
    if (this.#first.length > 0) this.#waiting ??= []
  }

  end(): void {
    this.#decide()
    this.#table.end()
  }

  #push(row: TableRow): void {
    if (this.#first.length < KEPT) this.#first.push(row)
    this.#table.add(row)
  }

  #decide(): void {
    const waiting = this.#waiting ?? []
    this.#waiting = null
    const from = waiting.findIndex(row => !isAlone(row))
    if (from >= 0 && from <= MAX_TITLES && this.#names.size < MAX_TABLES)
      this.#begin(waiting.slice(0, from), waiting.slice(from))
    else for (const row of waiting) this.#push(row)
  }

  #begin(titles: TableRow[], rows: TableRow[]): void {
    if (!stackRule(this.#first, rows).decision) {
      for (const row of [...titles, ...rows]) this.#push(row)
      return
    }
    this.#table.end()
    this.#table = new Table(this.#out, this.#file, this.#nameOf(titles.at(-1)), { hasHeader: true })
    this.#first = []
    for (const title of titles.slice(0, -1)) this.#table.add(title)
    for (const row of rows) this.#push(row)
  }

  /** Its title, or the sheet's name with a number. */
  #nameOf(title: TableRow | undefined): string {
    const said = (title?.cells.find(cell => cell !== '') ?? '').trim().replace(/\s+/g, ' ')
    const own = this.#sheet ?? baseName(this.#file?.path ?? 'table')
    const isName = said !== '' && said.length <= MAX_TITLE_LENGTH && isHeading(said)
    let name = isName ? said : `${own} ${this.#names.size + 1}`
    for (let count = 2; this.#names.has(name); count++) name = `${isName ? said : own} ${count}`
    this.#names.add(name)
    return name
  }
}

const isAlone = ({ cells }: TableRow) => cells.filter(cell => cell !== '').length === 1

/** Rows that may be a table, and the header of the table they are compared with. */
interface Candidate {
  cells: string[][]
  header: string[]
  /** The header cells that are not empty. */
  names: string[]
  other: readonly string[]
}

const isFew = ({ names, cells }: Candidate) =>
  names.length < 2 || cells.length <= (names.length === 2 ? MIN_OF_PAIRS : MIN_ROWS)
const isWithoutHeader = ({ names, cells }: Candidate) =>
  new Set(names).size < names.length || !headerRule(cells).decision
const hasHeadingsOfOther = ({ header, names, other }: Candidate) =>
  header.filter((cell, at) => cell !== '' && cell === other[at]).length * 2 >= names.length
const hasWords = ({ names, cells }: Candidate) => names.every(isHeading) && isAboveValues(cells)
const isUsual = ({ names }: Candidate) => names.every(isHeading) && names.filter(isColumnName).length >= 2

/** Whether rows are certainly a table. */
export const CERTAIN_RULES: readonly TableRule<Candidate, boolean>[] = [
  rule(false, 'it has few rows or columns', 'Sum, 7', isFew),
  rule(false, 'its first row is not a header', 'Milk, 4', isWithoutHeader),
  rule(true, 'it has headings of the other table', 'Item, Price', hasHeadingsOfOther),
  rule(true, 'it has words above values', 'Town, Size', hasWords),
  rule(true, 'its headings are usual', 'Name, City', isUsual),
  rule(false, 'nothing makes it certain', 'So, Ho, Hum', () => true),
]

/** Rows after an empty one, and what is certain about them and the table above. */
interface Behind {
  above: boolean
  own: boolean
  isTitled: boolean
  isSame: boolean
}

/** Whether rows after an empty one are a separate table. */
export const STACK_RULES: readonly TableRule<Behind, boolean>[] = [
  rule(false, 'what is above may be no table', 'Tea, 3', ({ above }) => !above),
  rule(false, 'a title is above its header', 'Costs', ({ isTitled }) => isTitled),
  rule(false, 'it may be no table', 'Sum, 7', ({ own }) => !own),
  rule(false, 'its header is that of the table above', 'Item, Cost again', ({ isSame }) => isSame),
  rule(true, 'it is another table', 'Town, Size', () => true),
]

/** The rule that decides whether rows are certainly a table. */
export function certainRule(
  rows: readonly TableRow[],
  other: readonly string[],
): TableRule<Candidate, boolean> {
  const cells = rows.map(row => row.cells)
  const [header = []] = cells
  return ruleFor(CERTAIN_RULES, { cells, header, names: header.filter(cell => cell !== ''), other })
}

/** The rule that decides whether rows after an empty one are a separate table. */
export function stackRule(above: readonly TableRow[], rows: readonly TableRow[]): TableRule<Behind, boolean> {
  const [known, header] = [beginOf(above).rows, rows[0]?.cells ?? []]
  const other = known[0]?.cells ?? []
  return ruleFor(STACK_RULES, {
    above: certainRule(known, header).decision,
    own: certainRule(rows, other).decision,
    isTitled: beginOf(rows).above.length > 0,
    isSame: isSame(withoutEnd(header), withoutEnd(other)),
  })
}

/** The cells without empty ones at the end. */
const withoutEnd = (cells: readonly string[]) => cells.slice(0, cells.findLastIndex(cell => cell !== '') + 1)
