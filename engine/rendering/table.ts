import { parse } from 'csv-parse/sync'
import { dialectOf, isDelimiterLine, withoutFormula } from '../../platform/common/csv-dialect.js'
import { CsvQuotes } from '../../platform/common/csv-quotes.js'
import { escapeHtml } from '../../platform/common/escape-html.js'
import { type ParsedDocument, type PassagePlace, plainDocument } from './article.js'
import { parseData } from './plain.js'

/** Rows of CSV as a table. Other text is shown as plain text. */
export function parseTable(text: string): ParsedDocument {
  const rows = rowsOf(text)
  if (!rows) return parseData(text)
  return plainDocument(passages => scrolling(tableHtml(rows, passages)))
}

/** Cells, and their line in the text, counted from 1. */
interface RenderedRow {
  cells: string[]
  line: number
}

/** Rows in a scrolling box, with a tab stop for people without a mouse. */
const scrolling = (tables: string) => `<div class="scroll rows" tabindex="0">${tables}</div>`

/** Lines that decide the format of the fields. */
const COMPARED = 256

function rowsOf(text: string): RenderedRow[] | null {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  const dialect = dialectOf(lines.slice(0, COMPARED))
  const skipped = isDelimiterLine(lines[0] ?? '') ? 1 : 0
  const quotes = new CsvQuotes(dialect)
  const numbered = lines.map((line, at) => ({ line: at + 1, text: line, ending: '\n' as const }))
  try {
    const records = parse(quotes.read(numbered) + quotes.end(), {
      ...dialect,
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      trim: true,
      record_delimiter: ['\r\n', '\n', '\r'],
    }) as unknown as { record: string[]; info: { lines: number } }[]
    return records
      .slice(skipped)
      .map(({ record, info }) => ({ cells: record.map(withoutFormula), line: info.lines }))
  } catch {
    return null
  }
}

/** The first row is the head. */
function tableHtml([head, ...rows]: readonly RenderedRow[], passages: readonly PassagePlace[]): string {
  const places = new Map(passages.map(place => [place.line, place]))
  const cells = (row: string[], tag: string) =>
    row.map(cell => `<${tag}>${escapeHtml(cell)}</${tag.split(' ')[0]}>`).join('')
  const body = rows.map(({ cells: row, line }) => {
    const place = places.get(line)
    const read = place?.isRead ? ' class="read"' : ''
    return `<tr${place ? ` id="p-${escapeHtml(place.id)}"${read}` : ''}>${cells(row, 'td')}</tr>`
  })
  return `<table><thead><tr>${cells(head?.cells ?? [], 'th scope="col"')}</tr></thead>
<tbody>${body.join('\n')}</tbody></table>`
}

/** Records of JSON Lines as rows. Other data is shown as plain text. */
export function parseRecords(text: string): ParsedDocument {
  const tables = recordTables(text)
  if (!tables) return parseData(text)
  return plainDocument(passages => scrolling(tables.map(rows => tableHtml(rows, passages)).join('\n')))
}

/** A table for each sequence of records with the same names. Null if a line is not a record, or there is none. */
function recordTables(text: string): RenderedRow[][] | null {
  const tables: RenderedRow[][] = []
  let names: string | undefined
  try {
    for (const [at, line] of text.split('\n').entries()) {
      if (line.trim() === '') continue
      const record: unknown = JSON.parse(line.trim())
      if (typeof record !== 'object' || record === null || Array.isArray(record)) return null
      const head = Object.keys(record)
      if (head.join('\n') !== names) tables.push([{ cells: head, line: 0 }])
      names = head.join('\n')
      tables.at(-1)?.push({ cells: Object.values(record).map(cellText), line: at + 1 })
    }
  } catch {
    // Not JSON, or nested too deeply to serialize.
    return null
  }
  return tables.length > 0 ? tables : null
}

/** A value as people read it: items of a list have a line each. */
const cellText = (value: unknown): string => [value].flat().map(itemText).join('\n')

function itemText(value: unknown): string {
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
