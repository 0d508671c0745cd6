import type { ColumnRole } from './table-reading.js'

/** What is said of a table before its rows are added. */
export interface TableSummary {
  table: string
  /** What a row is. */
  thing: string
  hasHeader: boolean
  /** Headers of the columns with the names; empty: rows are numbered. */
  naming: string[]
  /** Headers that could be the name as well. */
  unclear: string[]
  columns: { header: string; role: ColumnRole; to: string }[]
  /** The first rows as they are read. */
  rows: string[]
}

/** What a reader of tables is told, and to whom it tells how it has read them. */
export interface TableSink {
  /** The header of the column with the names. */
  nameColumn?: string
  /** The rows of tables of the same import that have been read: what identifies them, by name in `normalizeName`'s form. */
  rows: Map<string, string>
  add(summary: TableSummary): void
}
