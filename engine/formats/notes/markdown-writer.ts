import { tableOf } from '../shared/markdown-text.js'

/** Maximum nesting of lists and quotations. */
const MAX_LISTS = 20
const MAX_QUOTED = 5
/** Maximum rows and columns of a table, whose rows are padded to the widest. */
const MAX_ROWS = 500
const MAX_COLUMNS = 200

/** A list item around the current line. */
interface Item {
  /** Column of its bullet in the file, and of its text in the Markdown. */
  column: number
  content: number
}

/** Lines that are code, or parts for programs. */
export interface Verbatim {
  isEnd(line: string): boolean
  /** Returns the text of a line, or null to leave it out. */
  take(line: string): string | null
  /** The fence around it; empty if there is none. */
  fence: string
  /** Whether the line that ends it belongs to it, or is text again. Otherwise it is a mark. */
  end?: 'inside' | 'outside'
  /** Whether an empty line follows. */
  isAlone?: boolean
}

/** Writes Markdown for another syntax of notes and tracks the lists and quotations of the next line. */
export class MarkdownWriter {
  readonly #emit: (line: string) => void
  #items: Item[] = []
  /** Open quotations, with their line prefix and the lists outside of them. */
  #quotes: { kind: string; prefix: string; items: Item[] }[] = []
  #isBlank = true
  #verbatim: Verbatim | null = null
  #rows: string[][] = []

  constructor(emit: (line: string) => void) {
    this.#emit = emit
  }

  /** The kind of the innermost quotation. */
  get quoted(): string | null {
    return this.#quotes.at(-1)?.kind ?? null
  }

  /** Indentation of the innermost item's text. */
  get indent(): string {
    return ' '.repeat(this.#items.at(-1)?.content ?? 0)
  }

  /** Writes a line of text. Repeated empty lines are merged. */
  write(line: string): void {
    if (line.trim() === '' && this.#isBlank) return
    this.#isBlank = line.trim() === ''
    const end = line.endsWith('  ') && !this.#isBlank ? '  ' : ''
    this.#emit(`${this.#quotes.at(-1)?.prefix ?? ''}${line}`.trimEnd() + end)
  }

  /** Begins lines that are not text. `language`: of code. */
  begin(verbatim: Verbatim, language = ''): void {
    if (verbatim.fence !== '') this.#writeCode(verbatim.fence + language)
    this.#verbatim = verbatim
  }

  /** Whether the line belongs to what has begun. */
  readVerbatim(line: string): boolean {
    if (!this.#verbatim) return false
    const { isEnd, take, fence, end } = this.#verbatim
    const isLast = isEnd(line)
    const text = isLast && end !== 'inside' ? null : take(line)
    if (text !== null) this.#writeCode(text.trim().length > 2 ? withoutFence(text, fence) : text)
    if (isLast) this.endVerbatim()
    return !isLast || end !== 'outside'
  }

  endVerbatim(): void {
    const { fence = '', isAlone = false } = this.#verbatim ?? {}
    this.#verbatim = null
    if (fence !== '') this.#writeCode(fence)
    if (isAlone) this.blank()
  }

  /** Writes a line of code within the innermost item. */
  #writeCode(line: string): void {
    this.#isBlank = false
    this.write(this.indent + line)
  }

  /** Writes an empty line unless the last one is empty. */
  blank(): void {
    this.write('')
  }

  /** Writes a line between empty ones. */
  writeAlone(...lines: string[]): void {
    this.blank()
    for (const line of lines) this.write(line)
    this.blank()
  }

  /** Whether a table is being read. */
  get isInTable(): boolean {
    return this.#rows.length > 0
  }

  /** Adds a row; the first row is the header. A table is buffered to count its columns. */
  addRow(cells: readonly string[]): void {
    this.#rows.push(cells.slice(0, MAX_COLUMNS).map(cell => cell.replaceAll('|', '\\|')))
    if (this.#rows.length >= MAX_ROWS) this.endTable()
  }

  endTable(): void {
    const rows = tableOf(this.#rows.splice(0)).map(row => this.indent + row)
    if (rows.length > 0) this.writeAlone(...rows)
  }

  /** Begins an item. Returns the indentation of its bullet. */
  beginItem(column: number, marker: string): string {
    const before = this.#items.length
    while ((this.#items.at(-1)?.column ?? -1) >= column) this.#items.pop()
    // A number other than 1 cannot interrupt a paragraph.
    if (before === 0 && marker !== '-' && marker !== '1.') this.blank()
    if (this.#items.length >= MAX_LISTS) this.#items.pop()
    const { indent } = this
    this.#items.push({ column, content: indent.length + marker.length + 1 })
    return indent
  }

  /** Whether text with this indentation is nested less than the previous line. */
  isOutside(width: number): boolean {
    const innermost = this.#items.at(-1)
    return innermost !== undefined && width <= innermost.column
  }

  /** Ends the lists that do not contain text with this indentation. */
  outdent(width: number): void {
    if (!this.isOutside(width)) return
    while (this.isOutside(width)) this.#items.pop()
    this.blank()
  }

  endLists(): void {
    this.#items = []
  }

  beginQuote(kind: string): boolean {
    if (this.#quotes.length >= MAX_QUOTED) return false
    this.blank()
    const prefix = `${this.#quotes.at(-1)?.prefix ?? ''}${this.indent}> `
    this.#quotes.push({ kind, prefix, items: this.#items })
    this.#items = []
    return true
  }

  endQuote(kind: string): void {
    if (this.quoted !== kind) return
    this.#items = this.#quotes.pop()?.items ?? []
    this.#isBlank = false
    this.blank()
  }

  /** Ends all lists and quotations. */
  endAll(): void {
    if (this.#quotes.length > 0) this.#isBlank = false
    this.#quotes = []
    this.#items = []
    this.blank()
  }
}

/** Shortens a line that would end the surrounding code block. */
function withoutFence(line: string, fence: string): string {
  const mark = fence.charAt(0)
  return mark !== '' && line.trim().replaceAll(mark, '') === '' ? mark.repeat(2) : line
}
