import type { ParsedDocument } from './article.js'
import { parseData } from './plain.js'
import { type Row, scrolling, tableHtml } from './table.js'

/** Records of JSON Lines as rows. Other data is shown as it stands. */
export function parseRecords(text: string): ParsedDocument {
  const lines = text
    .split('\n')
    .map((line, at) => ({ text: line.trim(), line: at + 1 }))
    .filter(({ text }) => text !== '')
  const tables = recordTables(lines)
  if (!tables) return parseData(text)
  return {
    targets: [],
    render: ({ passages }) => ({
      html: scrolling(tables.map(rows => tableHtml(rows, passages)).join('\n')),
      outline: [],
      hasTitle: false,
    }),
  }
}

interface Line {
  text: string
  line: number
}

/** A table for each sequence of records with the same names. Null if a line is no record, or there is none. */
function recordTables(lines: readonly Line[]): Row[][] | null {
  const tables: Row[][] = []
  let names: string | undefined
  try {
    for (const { text, line } of lines) {
      const record: unknown = JSON.parse(text)
      if (typeof record !== 'object' || record === null || Array.isArray(record)) return null
      const head = Object.keys(record)
      if (head.join('\n') !== names) tables.push([{ cells: head, line: 0 }])
      names = head.join('\n')
      tables.at(-1)?.push({ cells: Object.values(record).map(cellText), line })
    }
  } catch {
    // No JSON, or nested more deeply than can be written.
    return null
  }
  return tables.length > 0 ? tables : null
}

/** A value as people read it: items of a list have a line each. */
function cellText(value: unknown): string {
  if (Array.isArray(value)) return value.map(itemText).join('\n')
  return itemText(value)
}

function itemText(value: unknown): string {
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
