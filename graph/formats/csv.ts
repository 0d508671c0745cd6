import { type Parser, parse } from 'csv-parse'
import type { Parsed } from '../model.js'
import type { Format } from './format.js'
import { type Line, maxLineLength, piecesOf, readLines } from './lines.js'
import { checked } from './record.js'

/**
 * Triples as CSV or TSV, told apart by the first line: with a header that names the three columns, or without one and
 * exactly three columns. Further columns are ignored.
 */
export const csv: Format = {
  id: 'csv',
  title: 'CSV or TSV triples',
  extensions: ['csv', 'tsv'],
  async *parse(bytes) {
    let table: Table | null = null
    for await (const lines of readLines(bytes)) {
      table ??= new Table(delimiterOf(lines))
      for (const piece of piecesOf(table.textOf(lines))) {
        await table.parse(piece)
        // Also when it is empty: whoever reads may let others have their turn.
        yield table.take()
        if (table.failed) return
      }
    }
    await table?.end()
    const batch = table?.take() ?? []
    if (batch.length > 0) yield batch
  },
}

/** Names of the columns, in the order subject, predicate, object. */
const headers = [
  ['subject', 'predicate', 'object'],
  ['source', 'relation', 'target'],
  ['from', 'relation', 'to'],
]

/** Of the first line that says something. */
function delimiterOf(lines: Line[]): string {
  const first = lines.find(line => 'text' in line && line.text.trim() !== '')
  const text = first !== undefined && 'text' in first ? first.text : ''
  if (text.includes('\t')) return '\t'
  return text.includes(',') || !text.includes(';') ? ',' : ';'
}

class Table {
  failed = false
  #batch: Parsed[] = []
  #columns: Columns | null = null
  /** Where the latest record ended. */
  #lastLine = 0
  readonly #parser: Parser

  constructor(delimiter: string) {
    this.#parser = parse({
      delimiter,
      max_record_size: maxLineLength,
      // Rows are taken here and not from the stream, which forgets what it holds when a later row is bad.
      on_record: (cells: string[], { lines }) => this.#row(cells, lines),
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

  /** A line that cannot be read becomes an empty one, so that the numbers of the others stay right. */
  #textOf(line: Line): string {
    if ('text' in line) return `${line.text}\n`
    this.#batch.push(line)
    return '\n'
  }

  #row(cells: string[], line: number): null {
    if (this.failed) return null
    this.#lastLine = line
    if (this.#columns === null) {
      this.#columns = columnsOf(cells)
      if (this.#columns === null) this.#fail(line, noColumns)
      if (this.#columns?.header !== false) return null
    }
    this.#batch.push(relation(line, cells, this.#columns))
    return null
  }

  #ended(error: Error | null | undefined, done: () => void): void {
    // The parser tells where it gave up; the record that does not end began after the last one that did.
    if (error) this.#fail(this.#lastLine + 1, error.message.replace(/ at line \d+.*$/s, '').slice(0, 200))
    done()
  }

  #fail(line: number, problem: string): void {
    if (this.failed) return
    this.failed = true
    this.#batch.push({ line, problem })
  }
}

interface Columns {
  header: boolean
  count: number
  places: readonly [number, number, number]
}

const noColumns =
  'The first line names no subject, predicate and object columns, and there are not exactly three columns.'

function columnsOf(cells: string[]): Columns | null {
  const names = cells.map(cell => cell.trim().toLowerCase())
  for (const header of headers) {
    const [subject = -1, predicate = -1, object = -1] = header.map(name => names.indexOf(name))
    if (subject >= 0 && predicate >= 0 && object >= 0) {
      return { header: true, count: cells.length, places: [subject, predicate, object] }
    }
  }
  return cells.length === 3 ? { header: false, count: 3, places: [0, 1, 2] } : null
}

function relation(line: number, cells: string[], columns: Columns): Parsed {
  if (cells.length !== columns.count) {
    return { line, problem: `There are ${cells.length} columns instead of ${columns.count}.` }
  }
  const [subject = '', predicate = '', object = ''] = columns.places.map(place => cells[place] ?? '')
  return checked(line, { kind: 'relation', subject, predicate, object })
}
