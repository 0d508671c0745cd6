import type { Parsed } from '../../graph/model.js'

/** What the first line of a table says about the others. */
export interface Columns {
  /** Whether the first line is a header, not a row. */
  isHeader: boolean
  /** Cells of every row. */
  count: number
  /** What a row says. */
  read(line: number, cells: string[]): Parsed[]
}
