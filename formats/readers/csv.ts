import type { Parser, parse } from 'csv-parse'
import type { Parsed } from '../../graph/model.js'
import type { Columns } from './columns.js'
import { columnsOf } from './csv-columns.js'
import type { Format } from './format.js'
import { type Line, maxLineLength, piecesOf, readLines } from './lines.js'

/**
 * Tables as CSV or TSV. The first line identifies the kind: triples (three named columns, or exactly three),
 * Neo4j's files, or our own export.
 */
export const csv: Format = {
  id: 'csv',
  title: 'CSV or TSV: triples, Neo4j nodes and relationships',
  extensions: ['csv', 'tsv'],
  async *parse(bytes) {
    const { parse: newParser } = await import('csv-parse')
    let table: CsvTable | null = null
    for await (const lines of readLines(bytes)) {
      table ??= new CsvTable(newParser, delimiterOf(lines))
      for (const piece of piecesOf(table.textOf(lines))) {
        await table.parse(piece)
        // Even when empty, so that the caller can yield to other work.
        yield table.take()
        if (table.failed) return
      }
    }
    await table?.end()
    const batch = table?.take() ?? []
    if (batch.length > 0) yield batch
  },
}

/** The delimiter in the first line that is not empty. */
function delimiterOf(lines: Line[]): string {
  const first = lines.find(line => 'text' in line && line.text.trim() !== '')
  const text = first !== undefined && 'text' in first ? first.text : ''
  if (text.includes('\t')) return '\t'
  return text.includes(',') || !text.includes(';') ? ',' : ';'
}

class CsvTable {
  failed = false
  #batch: Parsed[] = []
  #columns: Columns | null = null
  /** Line on which the last record ended. */
  #lastLine = 0
  readonly #parser: Parser

  constructor(newParser: typeof parse, delimiter: string) {
    this.#parser = newParser({
      delimiter,
      max_record_size: maxLineLength,
      // Rows are collected here because the stream discards buffered rows when a later row is bad.
      on_record: (cells: string[], { lines }) => this.#row(cells, lines),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
    })
    this.#parser.on('error', () => {}).resume()
  }

  textOf(lines: Line[]): string {
    return lines.map(line => this.#textOf(line)).join('')
  }

  async parse(text: string): Promise<void> {
    await new Promise<void>(done => this.#parser.write(text, error => this.#ended(error, done)))
  }

  async end(): Promise<void> {
    await new Promise<void>(done => this.#parser.end((error?: Error | null) => this.#ended(error, done)))
  }

  take(): Parsed[] {
    const batch = this.#batch
    this.#batch = []
    return batch
  }

  /** An unreadable line is replaced by an empty one to keep the line numbers. */
  #textOf(line: Line): string {
    if ('text' in line) return `${line.text}${line.ending}`
    this.#batch.push(line)
    return '\n'
  }

  #row(cells: string[], line: number): null {
    if (this.failed) return null
    this.#lastLine = line
    if (this.#columns === null) {
      this.#columns = columnsOf(cells)
      if (this.#columns === null) this.#fail(line, noColumns)
      if (this.#columns?.isHeader !== false) return null
    }
    const { count, read } = this.#columns
    if (cells.length === count) this.#batch.push(...read(line, cells))
    else this.#batch.push({ line, problem: `There are ${cells.length} columns instead of ${count}.` })
    return null
  }

  #ended(error: Error | null | undefined, done: () => void): void {
    // The parser reports where it stopped; the unfinished record began after the last complete one.
    if (error) this.#fail(this.#lastLine + 1, error.message.replace(/ at line \d+.*$/s, '').slice(0, 200))
    done()
  }

  #fail(line: number, problem: string): void {
    if (this.failed) return
    this.failed = true
    this.#batch.push({ line, problem })
  }
}

const noColumns =
  'The first line names no subject, predicate and object columns, and there are not exactly three columns.'
