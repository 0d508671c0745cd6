import { ElementReader, type End } from '../shared/element-reader.js'
import { type Shift, withShift } from '../shared/raised-text.js'
import { MergedCells } from './merged-cells.js'
import type { SheetRow } from './sheets.js'

/** Maximum cells of a row, and characters of a cell. */
export const MAX_COLUMNS = 500
export const MAX_CELL_LENGTH = 32_767

/** Reads the rows of sheets from XML in pieces. Subclasses define the elements of a format. */
export abstract class SheetXml extends ElementReader {
  readonly #rows: SheetRow[] = []
  /** The text of a cell, and the current superscript or subscript. */
  protected value = ''
  protected shift: Shift | null = null
  protected cells: string[] = []
  protected merged = new MergedCells()
  #links: Map<number, string> | null = null

  /** Reads the rows of the XML, in batches. */
  async *rowsIn(texts: AsyncIterable<string>): AsyncGenerator<SheetRow[]> {
    for await (const text of texts) {
      this.write(text)
      yield this.#rows.splice(0)
    }
    this.end()
    yield this.#rows.splice(0)
  }

  /** Begins a formatted run of the text. */
  protected beginPiece(shift: Shift | null = null): End {
    const at = this.value.length
    this.shift = shift
    return () => {
      this.value = withShift(this.value, at, this.shift)
      this.shift = null
    }
  }

  protected beginRow(): void {
    this.cells = []
    this.#links = null
  }

  /** Puts a text into one or more cells of the row. @param column from 1 */
  protected put(column: number, text: string, link: string | null, times = 1): void {
    if (text === '' || column > MAX_COLUMNS) return
    while (this.cells.length < column - 1) this.cells.push('')
    for (let at = column - 1; at < Math.min(column - 1 + times, MAX_COLUMNS); at++) this.cells[at] = text
    if (link === null) return
    this.#links ??= new Map()
    this.#links.set(column - 1, link)
  }

  /** Ends the current row. */
  protected endRow(sheet: string, row: number): void {
    if (this.cells.length === 0) return
    const links = this.#links ?? undefined
    this.#rows.push(this.merged.filled({ sheet, row, cells: this.cells, links }))
  }
}

/** `AB` → 28 */
export function columnNumber(letters: string): number {
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column
}
