import type { Parsed } from '../../graph/index.js'
import { type SourceFile, UnreadableFile } from '../shared/format.js'
import { linkText } from '../shared/markdown-text.js'
import { StackedTables } from './stacked-tables.js'
import type { TableRow } from './table-header.js'

/** A row of a sheet; `row` counts from 1. */
export interface SheetRow extends Omit<TableRow, 'line'> {
  sheet: string
  row: number
}

/** Maximum cells of a file, which limits the reading time. */
const MAX_CELLS = 5_000_000

/** Default sheet names of programs. */
const UNNAMED =
  /^(?:sheet|tabelle|tabellenblatt|feuille?|hoja|foglio|planilha|blad|ark|лист|arkusz|シート|工作表) ?\d{1,3}$/i

/** Reads the sheets of a workbook, each as a document with its tables. */
export async function* readSheets(
  kind: string,
  batches: AsyncIterable<SheetRow[]>,
  file?: SourceFile,
): AsyncGenerator<Parsed[]> {
  const document = file?.document
  let table: StackedTables | null = null
  let next = 1
  let current: string | null = null
  let cellCount = 0
  let isEmpty = true
  const out: Parsed[] = []
  const take = () => {
    isEmpty &&= out.length === 0
    return out.splice(0)
  }
  for await (const rows of batches) {
    for (const { sheet, row, ...rest } of rows) {
      const { cells, links } = rest
      if (!table || sheet !== current) {
        table?.end()
        // The passages of the previous sheet belong to its document.
        yield take()
        table = new StackedTables(out, file, UNNAMED.test(sheet) ? undefined : sheet)
        current = sheet
        document?.begin(sheet)
      }
      if (row > next) table.gap()
      next = row + 1
      cellCount += cells.length
      if (cellCount > MAX_CELLS)
        throw new UnreadableFile(`This ${kind} has more than 5,000,000 cells. Save its sheets as CSV.`)
      const line = document?.line ?? row
      document?.write(`${cells.map((cell, at) => quoted(withLink(cell, links?.get(at)))).join(',')}\n`)
      table.add({ line, ...rest })
    }
    // Even when empty, so that the caller can yield to other work.
    yield take()
  }
  if (!table) throw new UnreadableFile(`This ${kind} has no cells with values.`)
  table.end()
  yield take()
  if (isEmpty)
    throw new UnreadableFile(
      `The sheets of this ${kind} have no rows below the first, which names the columns.`,
    )
}

const withLink = (cell: string, address: string | undefined) =>
  address === undefined || linkText(cell, address) === null ? cell : `${cell} (${address})`

/** Quotes a cell as in CSV (RFC 4180). Line breaks would separate rows. */
export const quoted = (cell: string) => {
  const flat = cell.replace(/\s+/g, ' ')
  return /[",]/.test(flat) ? `"${flat.replaceAll('"', '""')}"` : flat
}
