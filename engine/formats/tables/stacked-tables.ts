import type { Parsed } from '../../graph/index.js'
import { baseName } from '../shared/file-name.js'
import type { SourceFile } from '../shared/format.js'
import { Table } from './table.js'
import { isHeading } from './table-column.js'
import { beginOf, isAboveValues, isHeader, isSame, type Row } from './table-header.js'
import { isColumnName, isOwnKey, referredTo } from './table-words.js'

/** Rows by which it is told whether another table begins, and those of the table above that are compared. */
const COMPARED = 12
const KEPT = 40
/** Rows with one cell above a table: its title. */
const MOST_TITLES = 3
const LONGEST_TITLE = 80
/** A table of two columns has as many rows at least: fewer may be what is said above another. */
const FEWEST_ROWS = 2
const FEWEST_OF_PAIRS = 5
const MOST_TABLES = 200

/**
 * The tables of a sheet or file that stand one below another, each with a header of its own behind empty rows. Where that is
 * not certain, rows belong to the table above.
 */
export class StackedTables {
  readonly #file: SourceFile | undefined
  readonly #sheet: string | undefined
  #table: Table
  /** The first rows of the table. */
  #first: Row[] = []
  /** The rows behind an empty one until it is decided to which table they belong; null where none is before them. */
  #waiting: Row[] | null = null
  #batch: Parsed[] = []
  readonly #names = new Set<string>()

  /** @param sheet its name inside a file with several */
  constructor(file: SourceFile | undefined, sheet?: string) {
    this.#file = file
    this.#sheet = sheet
    this.#table = new Table(file, sheet)
    this.#names.add(sheet ?? baseName(file?.path ?? 'table'))
  }

  add(line: number, cells: readonly string[], links?: Row['links']): void {
    const row = { line, cells: [...cells], links }
    if (cells.every(cell => cell.trim() === '')) this.gap()
    else if (!this.#waiting) this.#push(row)
    else if (this.#waiting.push(row) >= COMPARED + MOST_TITLES) this.#decide()
  }

  /** An empty row. */
  gap(): void {
    const waiting = this.#waiting
    const isTitle = waiting && waiting.length <= MOST_TITLES && waiting.every(isAlone)
    if (waiting && !isTitle) this.#decide()
    if (this.#first.length > 0) this.#waiting ??= []
  }

  end(): void {
    this.#decide()
    this.#table.end()
  }

  take(): Parsed[] {
    const batch = [...this.#batch, ...this.#table.take()]
    this.#batch = []
    return batch
  }

  #push(row: Row): void {
    if (this.#first.length < KEPT) this.#first.push(row)
    this.#table.add(row.line, row.cells, row.links)
  }

  #decide(): void {
    const waiting = this.#waiting ?? []
    this.#waiting = null
    const from = waiting.findIndex(row => !isAlone(row))
    if (from >= 0 && from <= MOST_TITLES && this.#names.size < MOST_TABLES)
      this.#begin(waiting.slice(0, from), waiting.slice(from))
    else for (const row of waiting) this.#push(row)
  }

  #begin(titles: Row[], rows: Row[]): void {
    if (!isAnother(this.#first, rows)) {
      for (const row of [...titles, ...rows]) this.#push(row)
      return
    }
    this.#table.end()
    this.#batch.push(...this.#table.take())
    this.#table = new Table(this.#file, this.#nameOf(titles.at(-1)), { hasHeader: true })
    this.#first = []
    for (const { line, cells } of titles.slice(0, -1)) this.#table.add(line, cells)
    for (const row of rows) this.#push(row)
  }

  /** Its title, or the sheet's name with a number. */
  #nameOf(title: Row | undefined): string {
    const said = (title?.cells.find(cell => cell !== '') ?? '').trim().replace(/\s+/g, ' ')
    const own = this.#sheet ?? baseName(this.#file?.path ?? 'table')
    const isName = said !== '' && said.length <= LONGEST_TITLE && isHeading(said)
    let name = isName ? said : `${own} ${this.#names.size + 1}`
    for (let count = 2; this.#names.has(name); count++) name = `${isName ? said : own} ${count}`
    this.#names.add(name)
    return name
  }
}

const isAlone = ({ cells }: Row) => cells.filter(cell => cell !== '').length === 1

/** Whether rows behind an empty one are certainly a table of their own, below one that certainly is one. */
function isAnother(above: Row[], rows: Row[]): boolean {
  const header = headerOf(beginOf(above).rows, rows[0]?.cells ?? [])
  if (!header || beginOf(rows).above.length > 0) return false
  const own = headerOf(rows, header)
  return own !== null && !isSame(withoutEnd(own), withoutEnd(header))
}

/** Without empty cells at its right. */
const withoutEnd = (cells: string[]) => cells.slice(0, cells.findLastIndex(cell => cell !== '') + 1)

/** The header of rows that are a table beyond doubt: it has words above numbers, usual names, or half of the cells of the header that is compared. */
function headerOf(rows: readonly Row[], known: readonly string[]): string[] | null {
  const cells = rows.map(row => row.cells)
  const [header = [], ...body] = cells
  const names = header.filter(cell => cell !== '')
  if (names.length < 2 || body.length < (names.length === 2 ? FEWEST_OF_PAIRS : FEWEST_ROWS)) return null
  if (new Set(names).size < names.length || !isHeader(cells)) return null
  const isUsual = (cell: string) => isColumnName(cell) || isOwnKey(cell) || referredTo(cell) !== null
  const shared = header.filter((cell, at) => cell !== '' && cell === known[at])
  const isCertain =
    shared.length * 2 >= names.length ||
    (names.every(isHeading) && (isAboveValues(cells) || names.filter(isUsual).length >= 2))
  return isCertain ? header : null
}
