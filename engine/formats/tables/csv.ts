import type { Parser, parse } from 'csv-parse'
import {
  type CsvDialect,
  dialectOf,
  isDelimiterLine,
  withoutFormula,
} from '../../../platform/common/csv-dialect.js'
import { CsvQuotes } from '../../../platform/common/csv-quotes.js'
import type { Parsed } from '../../graph/index.js'
import type { Format, SourceFile } from '../shared/format.js'
import { type Line, MAX_LINE_LENGTH, piecesOf, readLines } from '../shared/lines.js'
import { areTriples, columnsOf, knownRows, unnamedTriples } from './csv-columns.js'
import { StackedTables } from './stacked-tables.js'
import type { TableRow } from './table-header.js'

/**
 * Tables as CSV or TSV. The first lines identify the kind: triples (three columns with matching headers or contents),
 * our own export, or any other table, whose rows become entities.
 */
export const csv: Format = {
  id: 'csv',
  title: 'Table (CSV, TSV)',
  extensions: ['csv', 'tsv', 'tab'],
  mayBeLegacy: true,
  async *parse(bytes, file) {
    const { parse: newParser } = await import('csv-parse')
    let table: CsvTable | null = null
    for await (const lines of readLines(bytes)) {
      const rest = table ? lines : withoutMark(lines)
      table ??= new CsvTable(newParser, dialectOf(textsOf(lines)), file)
      yield* table.parse(table.textOf(rest))
      if (table.failed) return
    }
    if (table) yield* table.end()
  },
}

const textsOf = (lines: Line[]) => lines.flatMap(line => ('text' in line ? [line.text] : []))

/** The lines with an empty one instead of the `sep=` line, to keep line numbers. */
const withoutMark = (lines: Line[]): Line[] =>
  lines.map((line, at) =>
    at === 0 && 'text' in line && isDelimiterLine(line.text) ? { ...line, text: '' } : line,
  )

/** Maximum bytes of a row, which may have several lines. */
const MAX_ROW_LENGTH = 4 * MAX_LINE_LENGTH
const NOT_CLOSED = 'A quotation mark in this line is never closed. It was read as a letter.'

/** Rows used to decide whether three columns without a header are triples. */
const HELD_ROWS = 100

class CsvTable {
  failed = false
  readonly #batch: Parsed[] = []
  #rows: Pick<StackedTables, 'add' | 'gap' | 'end'> | null = null
  /** The first rows until their kind is decided; null for an empty line. */
  #held: (TableRow | null)[] = []
  readonly #file: SourceFile | undefined
  /** Line on which the last record ended. */
  #lastLine = 0
  readonly #parser: Parser
  readonly #quotes: CsvQuotes

  constructor(newParser: typeof parse, dialect: CsvDialect, file: SourceFile | undefined) {
    this.#file = file
    this.#quotes = new CsvQuotes(dialect, line => file?.remark?.(line, NOT_CLOSED))
    this.#parser = newParser({
      ...dialect,
      max_record_size: MAX_ROW_LENGTH,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      trim: true,
    })
    this.#parser.on('error', () => {}).resume()
    // Rows are collected here because the stream discards buffered rows when a later row is bad. `on_record` would copy
    // the parser's state for each row, which takes a tenth of the reading time.
    const push = this.#parser.push.bind(this.#parser)
    this.#parser.push = cells => (cells === null ? push(null) : this.#row(cells, this.#parser.info.lines))
  }

  /** The lines as text for the parser. */
  textOf(lines: Line[]): string {
    this.#batch.push(...lines.filter(line => 'problem' in line))
    return this.#quotes.read(lines)
  }

  async *parse(text: string): AsyncGenerator<Parsed[]> {
    for (const piece of piecesOf(text)) {
      await new Promise<void>(done => this.#parser.write(piece, error => this.#ended(error, done)))
      if (this.failed) this.#finish()
      yield this.#batch.splice(0)
      if (this.failed) return
    }
    // Even when empty, so that the caller can yield to other work.
    if (text === '') yield this.#batch.splice(0)
  }

  async *end(): AsyncGenerator<Parsed[]> {
    yield* this.parse(this.#quotes.end())
    if (this.failed) return
    await new Promise<void>(done => this.#parser.end((error?: Error | null) => this.#ended(error, done)))
    this.#finish()
    yield this.#batch.splice(0)
  }

  /** Reads the held rows at the end. */
  #finish(): void {
    if (this.#held.length > 0) this.#decide()
    this.#rows?.end()
  }

  /** Returns true, so that the stream continues. */
  #row(cells: string[], line: number): true {
    if (this.failed) return true
    this.#lastLine = line
    if (cells.length === 1 && cells[0] === '') this.#gap()
    else this.#add({ line, cells: cells.map(withoutFormula) })
    return true
  }

  /** An empty line. */
  #gap(): void {
    if (this.#rows) this.#rows.gap()
    else if (this.#held.length > 0) this.#held.push(null)
  }

  /** Only three columns without a known header are held: they may be triples. */
  #add(row: TableRow): void {
    if (this.#rows) this.#rows.add(row)
    else {
      const isFirst = this.#held.push(row) === 1
      const isKnown = isFirst && (row.cells.length !== 3 || columnsOf(row.cells) !== null)
      if (isKnown || this.#held.length >= HELD_ROWS) this.#decide()
    }
  }

  /** Decides how to read the held rows. */
  #decide(): void {
    const [first, ...more] = this.#held.splice(0)
    const cells = first?.cells ?? []
    const known = columnsOf(cells)
    const mayBeTriples = cells.length === 3 && this.#file?.tables?.nameColumn === undefined
    const isTriples = mayBeTriples && areTriples([cells, ...more.flatMap(row => (row ? [row.cells] : []))])
    const columns = known ?? (isTriples ? unnamedTriples : null)
    const rows = columns ? knownRows(columns, this.#batch) : new StackedTables(this.#batch, this.#file)
    this.#rows = rows
    for (const row of known ? more : [first, ...more])
      if (row) rows.add(row)
      else rows.gap()
  }

  #ended(error: Error | null | undefined, done: () => void): void {
    if (error && !this.failed) {
      this.failed = true
      const problem = error.message.replace(/ at line \d+.*$/s, '').slice(0, 200)
      // The parser reports where it stopped; the unfinished record began after the last complete one.
      this.#batch.push({ line: this.#lastLine + 1, problem: `${problem} The rows after it are not read.` })
    }
    done()
  }
}
