import { tableOf } from '../shared/markdown-text.js'
import type { OrgLinks } from './org-links.js'
import { orgText } from './org-text.js'

/** Maximum rows and characters of a table that are buffered to count its columns. */
const MAX_ROWS = 500
const MAX_LENGTH = 100_000
const MAX_COLUMNS = 200

const LOOKS = /^(?:[/<>]|<>|<[lcr]?\d{0,3}>)?$/

/** Collects the rows of a table and writes them as Markdown, with the first row as header. */
export class OrgTable {
  readonly #links: OrgLinks
  readonly #rows: string[][] = []
  #length = 0

  constructor(links: OrgLinks) {
    this.#links = links
  }

  get isFull(): boolean {
    return this.#rows.length >= MAX_ROWS || this.#length > MAX_LENGTH
  }

  add(line: string): void {
    if (/^\|[-+|\s]*$/.test(line)) return
    const cells = trimmed(line)
      .split('|')
      .slice(0, MAX_COLUMNS)
      .map(cell => cell.trim())
    // A row that only sets the alignment of columns.
    if (cells.every(cell => LOOKS.test(cell))) return
    this.#rows.push(cells.map(cell => orgText(cell, this.#links).replaceAll('|', '\\|')))
    this.#length += line.length
  }

  get rows(): string[] {
    return tableOf(this.#rows)
  }
}

/** The lines without empty first and last lines. */
const trimmed = (line: string) => {
  const row = line.slice(1).trim()
  return row.endsWith('|') ? row.slice(0, -1) : row
}
