import { columnNumber, MAX_COLUMNS, matchesIn } from './sheet-xml.js'
import type { SheetRow } from './sheets.js'
import { isHeading } from './table-column.js'

/** Merged cells. Rows and columns count from 1. */
export interface MergedRange {
  top: number
  left: number
  bottom: number
  right: number
}

/** Maximum rows above a header, such as a title and a date. */
const MAX_ABOVE = 12
/** Maximum rows of a header. Cells merged over more rows are row headings. */
const MAX_HEIGHT = 8
/** Maximum merged cells of a sheet. */
const MAX_RANGES = 50_000
const RANGE = /<(?:\w{1,20}:)?mergeCell ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"/g
const MAX_RANGE_LENGTH = 80
const YEAR = /^(?:19|20)\d\d$/
const MAX_HEADER_LENGTH = 120

interface Header {
  /** The original rows, in case they are not a header. */
  rows: SheetRow[]
  cells: string[]
  /** Columns below a heading that spans several. */
  grouped: ReadonlySet<number>
  /** Columns whose heading spans several rows. */
  tall: ReadonlySet<number>
  /** The last row of a heading that spans several rows. */
  bottom: number
}

/**
 * Gives every cell its displayed text: text merged over several rows is repeated in each, and headings over several
 * columns are put before the headings below, as "Sales 2024". Files store text only in the first cell of a merged range.
 */
export class MergedCells {
  /** Merged ranges by their first row. */
  readonly #ranges = new Map<number, MergedRange[]>()
  /** Open vertical merges by column. */
  readonly #down = new Map<number, { bottom: number; text: string }>()
  #header: Header | null = null
  #above = 0

  #count = 0

  /** @param ranges the ranges known before the rows */
  constructor(ranges: readonly MergedRange[] = []) {
    for (const range of ranges) this.add(range)
  }

  /** Adds a range that begins in one of the next rows. */
  add(range: MergedRange): void {
    if (++this.#count > MAX_RANGES) return
    const some = this.#ranges.get(range.top)
    if (some) some.push(range)
    else this.#ranges.set(range.top, [range])
  }

  /** Returns the rows that are complete; a header is held until its last row. */
  read(row: SheetRow): SheetRow[] {
    if (this.#ranges.size === 0) {
      this.#above++
      return [row]
    }
    const ranges = this.#ranges.get(row.row) ?? []
    const header = this.#header
    if (header) {
      const kind = kindOf(row, header)
      if (kind === 'header' && header.rows.length < MAX_HEIGHT) return this.#extend(header, row, ranges)
      this.#header = null
      if (kind === 'body') this.#above = MAX_ABOVE
      return [...header.rows.map(above => this.#filled(above)), ...this.read(row)]
    }
    if (this.#above < MAX_ABOVE && this.#begin(row, ranges)) return []
    this.#above++
    return [this.#filled(row)]
  }

  end(): SheetRow[] {
    const rows = this.#header?.rows ?? []
    this.#header = null
    return rows.map(row => this.#filled(row))
  }

  #begin(row: SheetRow, ranges: readonly MergedRange[]): boolean {
    const groups = groupsOf(row, ranges)
    if (groups.length === 0 || !areHeadings(row.cells)) return false
    const bottom = Math.max(
      row.row,
      ...ranges.filter(({ left }) => row.cells[left - 1]).map(range => range.bottom),
    )
    if (bottom - row.row >= MAX_HEIGHT) return false
    this.#header = {
      rows: [row],
      cells: spread(row.cells, groups),
      grouped: columnsOf(groups),
      tall: tallOf(ranges),
      bottom,
    }
    return true
  }

  #extend(header: Header, row: SheetRow, ranges: readonly MergedRange[]): SheetRow[] {
    const groups = groupsOf(row, ranges)
    const below = spread(row.cells, groups)
    const width = Math.max(header.cells.length, below.length)
    const cells = Array.from({ length: width }, (_, at) => {
      const [over, under] = [header.cells[at] ?? '', below[at] ?? '']
      return over === under ? over : `${over} ${under}`.trim().slice(0, MAX_HEADER_LENGTH)
    })
    const bottom = Math.max(header.bottom, ...ranges.map(range => range.bottom))
    if (groups.length > 0 || bottom > row.row) {
      const tall = new Set([...header.tall, ...tallOf(ranges)])
      this.#header = { rows: [...header.rows, row], cells, grouped: columnsOf(groups), tall, bottom }
      return []
    }
    this.#header = null
    this.#above = MAX_ABOVE
    return [{ ...row, cells }]
  }

  #filled(row: SheetRow): SheetRow {
    const cells = [...row.cells]
    for (const [column, { bottom, text }] of this.#down) {
      if (bottom < row.row) this.#down.delete(column)
      else if (!cells[column - 1]) {
        while (cells.length < column) cells.push('')
        cells[column - 1] = text
      }
    }
    for (const { top, bottom, left } of this.#ranges.get(row.row) ?? []) {
      const text = row.cells[left - 1]
      if (bottom > top && text) this.#down.set(left, { bottom, text })
    }
    return { ...row, cells }
  }
}

/** Headings that span several columns; a heading over the whole row is a title. */
function groupsOf({ cells }: SheetRow, ranges: readonly MergedRange[]): MergedRange[] {
  const wide = ranges.filter(({ left, right }) => right > left && cells[left - 1])
  const first = cells.findIndex(cell => cell !== '') + 1
  const isTitle = wide.length === 1 && wide[0]?.left === first && cells.length === first
  return isTitle && first === 1 ? [] : wide
}

/** The kind of a row below the first header row. A row with no text under the headings is not part of the header. */
function kindOf({ row, cells }: SheetRow, header: Header): 'header' | 'body' | 'other' {
  if (!areHeadings(cells)) return 'body'
  const filled = cells.flatMap((cell, at) => (cell === '' ? [] : [at + 1]))
  if (row <= header.bottom) return 'header'
  // A title written into several cells is above the header without being part of it.
  const last = header.rows.at(-1)?.cells ?? []
  if (filled.some(column => last[column - 1] && !header.grouped.has(column) && !header.tall.has(column)))
    return 'other'
  const under = filled.filter(column => header.grouped.has(column))
  if (under.length < 2) return 'body'
  const isTitle = header.rows.every(({ cells }) => cells.filter(cell => cell !== '').length < 2)
  return isTitle && under.length === filled.length ? 'other' : 'header'
}

const areHeadings = (cells: readonly string[]) =>
  cells.every(cell => cell === '' || YEAR.test(cell) || isHeading(cell))

const tallOf = (ranges: readonly MergedRange[]) =>
  new Set(ranges.filter(({ top, bottom }) => bottom > top).map(({ left }) => left))

const columnsOf = (groups: readonly MergedRange[]) =>
  new Set(groups.flatMap(({ left, right }) => Array.from({ length: right - left + 1 }, (_, at) => left + at)))

function spread(cells: readonly string[], groups: readonly MergedRange[]): string[] {
  const all = [...cells]
  for (const { left, right } of groups) {
    while (all.length < right) all.push('')
    all.fill(cells[left - 1] ?? '', left - 1, right)
  }
  return all
}

/** The merged cells of an XLSX sheet (ECMA-376-1 §18.3.1.55); its XML lists them after the rows. */
export async function rangesOf(texts: AsyncIterable<string>): Promise<MergedRange[]> {
  const ranges: MergedRange[] = []
  for await (const [, left = '', top, right = '', bottom] of matchesIn(texts, RANGE, MAX_RANGE_LENGTH)) {
    if (ranges.length >= MAX_RANGES) break
    const range = {
      top: Number(top),
      left: columnNumber(left),
      bottom: Number(bottom),
      right: Math.min(columnNumber(right), MAX_COLUMNS),
    }
    if (range.left <= MAX_COLUMNS) ranges.push(range)
  }
  return ranges
}
