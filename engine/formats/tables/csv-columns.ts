import type { GraphRecord, Parsed } from '../../graph/index.js'
import { pairs } from '../shared/pairs.js'
import { checked } from '../shared/record.js'
import { MIN_COLUMNS, OWN_HEADER, unguarded } from './own-columns.js'
import { isPlainValue } from './table-column.js'
import type { TableRow } from './table-header.js'
import { isColumnName } from './table-words.js'

/** Columns with a known meaning, from the first line of a table. */
interface Columns {
  /** Cells per row. */
  count: number
  /** Reads the record of a row. */
  read(line: number, cells: string[]): Parsed
}

/** Reads rows of a table with known columns. @param out receives the records */
export const knownRows = ({ count, read }: Columns, out: Parsed[]) => ({
  add({ line, cells }: TableRow): void {
    const problem = `There are ${cells.length} columns instead of ${count}.`
    out.push(cells.length === count ? read(line, cells) : { line, problem })
  },
  gap() {},
  end() {},
})

/** The columns of a table with this header, or null if they are unknown. */
export function columnsOf(cells: string[]): Columns | null {
  return ownColumns(cells) ?? tripleColumns(cells)
}

/** Column names in the order subject, predicate, object. */
const HEADERS = [
  ['subject', 'predicate', 'object'],
  ['source', 'relation', 'target'],
  ['from', 'relation', 'to'],
]

function tripleColumns(cells: string[]): Columns | null {
  const names = cells.map(cell => cell.trim().toLowerCase())
  const places = HEADERS.map(header => header.map(name => names.indexOf(name)))
  const named = places.find(place => !place.includes(-1))
  return named ? triples(cells.length, named, names.map(dateNamed)) : null
}

/** @param dates the member for each column with a date */
function triples(count: number, places: number[], dates: (string | undefined)[]): Columns {
  const [subject = 0, predicate = 1, object = 2] = places
  const dated = dates.flatMap((name, at) => (name ? [[name, at] as const] : []))
  const read = (line: number, row: string[]) =>
    checked(line, {
      kind: 'relation',
      subject: row[subject] ?? '',
      predicate: row[predicate] ?? '',
      object: row[object] ?? '',
      ...Object.fromEntries(dated.map(([name, at]) => [name, row[at]])),
    })
  return { count, read }
}

/** Three columns without a header. */
export const unnamedTriples = triples(3, [0, 1, 2], [])

/** Whether rows of three columns are triples: few empty cells, and predicates in the second column, which are words and repeat. */
export function areTriples(rows: readonly string[][]): boolean {
  const [first = [], ...rest] = rows
  if (first.includes('') || rows.filter(row => row.includes('')).length > rows.length / 5) return false
  if (first.some(isColumnName)) return false
  const isPlain = (at: number) => rest.filter(row => isPlainValue(row[at] ?? '')).length > rest.length / 2
  if (isPlain(1) || (isPlain(0) && rest.length > 1)) return false
  // A heading above numbers.
  if (rest.length > 1 && isPlain(2) && !isPlainValue(first[2] ?? '')) return false
  const predicates = new Set(rows.map(row => row[1]?.toLowerCase()))
  return rows.length < 10 || predicates.size <= rows.length / 2
}

/** Columns with the dates of facts, in any spelling: "validFrom", "valid from", "start_date". */
const DATES =
  pairs(`validfrom validFrom startdate validFrom starttime validFrom validto validTo validuntil validTo
  enddate validTo endtime validTo learnedon learnedOn`)

const dateNamed = (name: string) => DATES.get(name.replace(/[\s_-]/g, ''))

function ownColumns(cells: string[]): Columns | null {
  if (cells.length < MIN_COLUMNS || cells.some((cell, i) => cell !== OWN_HEADER[i])) return null
  const read = (line: number, row: string[]) => {
    const cell = (name: (typeof OWN_HEADER)[number]) => unguarded(row[OWN_HEADER.indexOf(name)] ?? '')
    const record = ownRecord(cell)
    return record ? checked(line, record) : { line, problem: 'The kind is unknown.' }
  }
  return { count: cells.length, read }
}

function ownRecord(cell: (name: (typeof OWN_HEADER)[number]) => string): GraphRecord | null {
  const id = cell('subject_key') || cell('subject')
  switch (cell('kind')) {
    case 'entity':
      return { kind: 'entity', id, name: cell('subject'), type: cell('type') }
    case 'alias':
      return { kind: 'alias', entity: id, alias: cell('object') }
    case 'same':
      return { kind: 'same', entity: id, sameAs: cell('object_key') || cell('object') }
    case 'relation': {
      const object = cell('object_key') || cell('object')
      const [validFrom, validTo] = [cell('valid_from'), cell('valid_to')]
      const times = { validFrom, validTo, learnedOn: cell('learned_on') }
      return { kind: 'relation', subject: id, predicate: cell('predicate'), object, ...times }
    }
    case 'passage': {
      const [seq, time] = [cell('seq'), cell('time')]
      const at = { ...(seq && { seq: Number(seq) }), ...(time && { time: Date.parse(time) }) }
      const [title, text, source] = [cell('title'), cell('text'), cell('source')]
      return { kind: 'passage', entity: id, title, text, source, ...at }
    }
    default:
      return null
  }
}
