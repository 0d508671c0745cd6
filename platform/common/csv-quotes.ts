import type { CsvDialect } from './csv-dialect.js'

/** A line without its ending, or one that cannot be read. Lines are counted from 1. */
type Line = { line: number; text: string; ending: '\n' | '\r\n' } | { line: number; problem: string }

/** Maximum bytes of a quoted field. */
const MAX_FIELD_LENGTH = 1_048_576

/** The original line. */
interface CsvRow {
  line: number
  text: string
  ending: string
}

/** A quoted field that continues on the next line. */
interface OpenField {
  /** Its original lines, the first one from its mark on. */
  rows: CsvRow[]
  /** The same in the form to be parsed. */
  text: string
  bytes: number
}

/**
 * Rewrites quotation marks that are literal, so that a CSV parser can continue after them: those of fields that are not closed
 * within 1 MiB, before the file ends or before another field begins with one, and those inside of a field (`"Heroes" by Bowie`).
 * All other fields, and the number of lines, stay unchanged. Each byte is read at most twice, and at most 1 MiB is buffered.
 */
export class CsvQuotes {
  readonly #delimiter: string
  /** A quotation mark inside of a quoted field. */
  readonly #inner: string
  /** Marks of a quoted field with the characters they escape. */
  readonly #marks: RegExp
  readonly #isEscapedByItself: boolean
  readonly #onOpen: (line: number) => void
  #open: OpenField | null = null

  /** @param onOpen called for a line with a quotation mark that is never closed */
  constructor(dialect: CsvDialect, onOpen: (line: number) => void = () => {}) {
    this.#delimiter = dialect.delimiter
    this.#isEscapedByItself = dialect.escape === '"'
    this.#inner = `${dialect.escape}"`
    this.#marks = this.#isEscapedByItself ? /""|"/g : /\\.|"/gs
    this.#onOpen = onOpen
  }

  /** The text to parse, empty while a field is open. A line that cannot be read is an empty one. */
  read(lines: readonly Line[]): string {
    let out = ''
    for (const line of lines)
      if ('problem' in line) out += this.#row({ line: line.line, text: '', ending: '\n' })
      else for (const row of rowsOf(line)) out += this.#row(row)
    return out
  }

  /** The remaining text at the end of the file. */
  end(): string {
    return this.#open ? this.#giveUp(this.#open) : ''
  }

  #row(row: CsvRow): string {
    if (this.#open) return this.#inside(this.#open, row)
    return row.text.includes('"') ? this.#outside(row, 0) : row.text + row.ending
  }

  /** Continues from the beginning of a field. `isAlone`: no field continues on the next line. */
  #outside(row: CsvRow, from: number, isAlone = false): string {
    const { text } = row
    let out = ''
    let at = from
    // Once no mark closes a field, none closes those after it.
    let isClosed = true
    while (at < text.length) {
      const opener = this.#afterSpace(text, at)
      const isQuoted = text[opener] === '"'
      const mark = isQuoted && isClosed ? this.#nextMark(text, opener + 1) : -1
      if (isQuoted && mark < 0 && !isAlone) {
        const rest = text.slice(opener)
        this.#open = { rows: [{ ...row, text: rest }], text: rest + row.ending, bytes: text.length }
        return out + text.slice(at, opener)
      }
      if (isQuoted && mark < 0) isClosed = false
      const end = this.#endOf(text, Math.max(opener, mark + 1))
      const isLetter = isQuoted && (mark < 0 || !this.#closes(text, mark))
      out += isLetter ? this.#asLetters(text, opener, mark, end) : text.slice(at, end)
      out += text.slice(end, end + 1)
      at = end + 1
    }
    return out + row.ending
  }

  #inside(open: OpenField, row: CsvRow): string {
    const { text, ending } = row
    let at = 0
    for (;;) {
      const mark = this.#nextMark(text, at)
      if (mark < 0) break
      if (this.#closes(text, mark)) {
        this.#open = null
        return open.text + text.slice(at, mark + 1) + this.#outside(row, mark + 1)
      }
      if (this.#opens(text, mark)) {
        const { line } = row
        const before = this.#outside({ line, text: text.slice(0, mark), ending: '' }, 0, true)
        return this.#giveUp(open) + before + this.#outside(row, mark)
      }
      open.text += text.slice(at, mark) + this.#inner
      at = mark + 1
    }
    open.rows.push(row)
    open.text += text.slice(at) + ending
    open.bytes += Buffer.byteLength(text) + ending.length
    return open.bytes > MAX_FIELD_LENGTH ? this.#giveUp(open) : ''
  }

  /** Reads the mark that opened a field as a literal, and the lines after it one by one. */
  #giveUp(open: OpenField): string {
    this.#open = null
    this.#onOpen(open.rows[0]?.line ?? 1)
    return open.rows.map(row => this.#outside(row, 0, true)).join('')
  }

  /** A field with literal marks, as a quoted one. After `mark` nothing is escaped. */
  #asLetters(text: string, opener: number, mark: number, end: number): string {
    const from = mark < 0 ? opener + 1 : mark
    const rest = text.slice(from, end).trimEnd()
    const escaped = this.#isEscapedByItself ? rest.replaceAll('"', '""') : rest.replace(/[\\"]/g, '\\$&')
    return `"${this.#inner}${text.slice(opener + 1, from)}${escaped}"`
  }

  /** The next mark of a quoted field that is not escaped, or -1. */
  #nextMark(text: string, from: number): number {
    this.#marks.lastIndex = from
    for (;;) {
      const found = this.#marks.exec(text)
      if (found === null || found[0] === '"') return found?.index ?? -1
    }
  }

  #endOf(text: string, from: number): number {
    const end = text.indexOf(this.#delimiter, from)
    return end < 0 ? text.length : end
  }

  #closes(text: string, mark: number): boolean {
    const next = this.#afterSpace(text, mark + 1)
    return next === text.length || text[next] === this.#delimiter
  }

  /** Whether a mark is the first character of a field. */
  #opens(text: string, mark: number): boolean {
    let at = mark
    while (at > 0 && this.#isSpace(text, at - 1)) at--
    return at === 0 || text[at - 1] === this.#delimiter
  }

  #afterSpace(text: string, from: number): number {
    let at = from
    while (at < text.length && this.#isSpace(text, at)) at++
    return at
  }

  #isSpace(text: string, at: number): boolean {
    const code = text.charCodeAt(at)
    const isSpace =
      code === 0x20 || (code >= 0x09 && code <= 0x0d) || (code >= 0xa0 && /\s/.test(text[at] ?? ''))
    return isSpace && text[at] !== this.#delimiter
  }
}

/** The rows of a line: old programs end them with a carriage return. */
function rowsOf({ line, text, ending }: Exclude<Line, { problem: string }>): CsvRow[] {
  if (!text.includes('\r')) return [{ line, text, ending }]
  const texts = text.split('\r')
  return texts.map((row, at) => ({ line, text: row, ending: at === texts.length - 1 ? ending : '\r' }))
}
