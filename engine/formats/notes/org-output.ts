import type { OrgHeader } from './org-header.js'
import { type NoteProperty, propertyLines } from './rewritten-note.js'

/** Maximum nesting of lists and quotations. */
const MAX_LISTS = 20
const MAX_QUOTED = 5

/** A list item around the current line. */
interface Item {
  /** Column of its bullet in the file, and of its text in the Markdown. */
  column: number
  content: number
}

/** Writes Markdown and tracks the lists and quotations of the next line. */
export class OrgOutput {
  readonly #header: OrgHeader
  readonly #emit: (line: string, property?: NoteProperty) => void
  #items: Item[] = []
  /** Open quotations, with their line prefix and the lists outside of them. */
  #quotes: { kind: string; prefix: string; items: Item[] }[] = []
  #isBlank = true

  constructor(header: OrgHeader, emit: (line: string, property?: NoteProperty) => void) {
    this.#header = header
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
    this.#begin()
    if (line.trim() === '' && this.#isBlank) return
    this.#isBlank = line.trim() === ''
    this.#put(line)
  }

  /** Writes a line of code within the innermost item. */
  writeCode(line: string): void {
    this.#begin()
    this.#isBlank = false
    this.#put(this.indent + line)
  }

  /** Writes an empty line unless the last one is empty. */
  blank(): void {
    if (!this.#isBlank) this.write('')
  }

  property(property: NoteProperty): void {
    this.blank()
    this.write(propertyLines([property]).join(''))
    this.blank()
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

  /** Writes the file's header before anything else. */
  #begin(): void {
    for (const { line, property } of this.#header.take()) this.#emit(line, property)
  }

  #put(line: string): void {
    const end = line.endsWith('  ') && line.trim() !== '' ? '  ' : ''
    this.#emit(`${this.#quotes.at(-1)?.prefix ?? ''}${line}`.trimEnd() + end)
  }
}
