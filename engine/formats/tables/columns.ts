import type { Parsed } from '../../graph/index.js'

/** What the first line of a table says about the rows. */
export interface Columns {
  /** Whether the first line is a header, not a row. */
  isHeader: boolean
  /** Cells per row. */
  count: number
  /** Reads the records of a row. */
  read(line: number, cells: string[]): Parsed[]
}
