import type { SheetRow } from './sheets.js'
import type { Span } from './table-header.js'

/** Merged cells. Rows and columns count from 1. */
export interface MergedRange {
  top: number
  left: number
  bottom: number
  right: number
}

/** Maximum merged cells of a sheet. */
const MAX_RANGES = 50_000

/**
 * Gives every cell its displayed text: text merged over several rows is repeated in each. Files store text only in the
 * first cell of a merged range. Headings over several columns are resolved by `beginOf`.
 */
export class MergedCells {
  /** Merged ranges by their first row. */
  readonly #ranges = new Map<number, MergedRange[]>()
  /** Open vertical merges by column. */
  readonly #down = new Map<number, { bottom: number; text: string }>()
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

  /** The row with the texts from above, and its merged cells. */
  filled(row: SheetRow): SheetRow {
    if (this.#ranges.size === 0) return row
    const cells = [...row.cells]
    for (const [column, { bottom, text }] of this.#down) {
      if (bottom < row.row) this.#down.delete(column)
      else if (!cells[column - 1]) {
        while (cells.length < column) cells.push('')
        cells[column - 1] = text
      }
    }
    const spans: Span[] = []
    for (const { top, bottom, left, right } of this.#ranges.get(row.row) ?? []) {
      const text = row.cells[left - 1]
      if (!text) continue
      if (bottom > top) this.#down.set(left, { bottom, text })
      spans.push({ left, right, below: bottom - top })
    }
    return { ...row, cells, spans }
  }
}
