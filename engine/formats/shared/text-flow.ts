import type { Document } from './document.js'
import { flat } from './flat.js'
import { keptAddress, linkText, rowOf, ruleOf } from './markdown-text.js'
import { type Shift, shiftedText } from './raised-text.js'

/** Collects lines of Markdown. */
export const linesTarget = (lines: string[]): TextTarget => ({
  time: undefined,
  hasText: false,
  addName: () => {},
  addPlace: () => {},
  addHeading: (_, level, text) => void lines.push(`${'#'.repeat(level)} ${text}`, ''),
  addLine: (_, text) => void lines.push(text),
  addCode: (_, text) => void lines.push(text),
  addProblem: () => {},
})

/** Receives the lines of a document. */
export type TextTarget = Pick<
  Document,
  'time' | 'hasText' | 'addName' | 'addHeading' | 'addPlace' | 'addLine' | 'addCode' | 'addProblem'
>

/** Maximum characters of a line, a heading and a table cell. */
const MAX_LINE = 4_000
const MAX_HEADING = 1_000
const MAX_CELL = 300
/** Maximum cells per row, list levels and nested texts. */
const MAX_CELLS = 100
const MAX_LISTS = 10
const MAX_ASIDES = 20

/** The current paragraph, heading or row. */
interface OpenBlock {
  text: string
  /** Heading level. */
  level: number | null
  /** The beginning of the line: a bullet, or spaces of the same width. */
  bullet: string
  row: string[] | null
  /** The reference to the current note. */
  note: string | null
}

/** Superscript or subscript from an offset of the line on. */
interface Shifted {
  at: number
  kind: Shift
  /** Whether it refers to a note. */
  isReference: boolean
}

const newBlock = (note: string | null = null): OpenBlock => ({
  text: '',
  level: null,
  bullet: '',
  row: null,
  note,
})

/** A table cell: the columns and rows it covers, or whether it continues the cell above. */
interface CellSpan {
  columns?: number
  rows?: number
  isContinued?: boolean
}

/**
 * Writes a document as Markdown: headings, paragraphs, lists, tables, links, superscripts. Readers call it at the
 * beginning and end of each, in document order.
 */
export class TextFlow {
  readonly target: TextTarget
  readonly #here: () => number
  #block = newBlock()
  /** Number of texts around the current one. */
  #depth = 0
  #notes: string[] = []
  /** The open link and the offset of its text in the line. */
  #link: { href: string; at: number } | null = null
  /** The open superscripts and subscripts, outermost first; the last one with its source text and its end. */
  readonly #shifted: Shifted[] = []
  #last: (Shifted & { end: number; text: string }) | null = null
  /** The lists around the line: the last item number, or null for bullets. */
  readonly #lists: (number | null)[] = []
  /** Whether the last line was a list item and the list may continue. */
  #isAfterItem = false
  /** Nested tables; whether the row is the first; the row above; cells that cover rows below, by column. */
  #tables = 0
  #isFirstRow = true
  #above: string[] = []
  #down = new Map<number, { rows: number; text: string }>()

  readonly #isNamed: boolean

  /** @param isNamed whether a heading before any text is a name of the document */
  constructor(target: TextTarget, here: () => number, isNamed = false) {
    this.target = target
    this.#here = here
    this.#isNamed = isNamed
  }

  get isInRow(): boolean {
    return this.#block.row !== null
  }

  /** Whether all finished cells of the row are empty. */
  get isRowEmpty(): boolean {
    return this.#block.row?.every(cell => cell === '') ?? false
  }

  get isInHeading(): boolean {
    return this.#block.level !== null
  }

  get isInNote(): boolean {
    return this.#block.note !== null
  }

  /** The last note reference in the line: `[1]`. */
  get lastReference(): string {
    const { text } = this.#block
    return text.slice(text.lastIndexOf('[')).trim()
  }

  get isInList(): boolean {
    return this.#lists.length > 0
  }

  /** Whether the line has no text so far. */
  get isEmpty(): boolean {
    return this.#block.text.trim() === ''
  }

  add(text: string): void {
    const block = this.#block
    block.text += text
    if (block.note !== null) block.text = block.text.slice(0, MAX_LINE)
    else if (block.level !== null && block.text.length > MAX_HEADING) this.endLine()
    else if (block.text.length > MAX_LINE && block.row === null) this.endLine()
    else if (block.text.length > MAX_LINE) this.endRow(true)
  }

  /** Begins or continues superscript or subscript. Returns a function that ends it. @param isReference see `refer` */
  shift(kind: Shift, isReference = false): () => void {
    const [last, block] = [this.#last, this.#block]
    const isSame = last?.kind === kind && last.end === block.text.length && !last.isReference
    if (isSame) block.text = block.text.slice(0, last.at) + last.text
    const isInside = isReference || this.#shifted.at(-1)?.isReference === true
    this.#shifted.push({ at: isSame ? last.at : block.text.length, kind, isReference: isInside })
    return () => this.endShift()
  }

  /** Marks the current superscript as a reference to a note. */
  refer(): void {
    for (const shifted of this.#shifted) shifted.isReference = true
  }

  endShift(): void {
    const [shifted, block] = [this.#shifted.pop(), this.#block]
    if (!shifted || shifted.at > block.text.length) return
    const { at, kind, isReference } = shifted
    const [above, text] = [block.text.slice(0, at), block.text.slice(at)]
    const isIndexed = this.#last?.kind === 'lowered' && this.#last.end === at
    // Inside another one, only its own text is the base.
    const before = isIndexed ? 'x' : above.slice(this.#shifted.at(-1)?.at ?? 0)
    block.text = above + shiftedText(before, text, kind, isReference)
    this.#last = { ...shifted, end: block.text.length, text }
  }

  /** Begins a link. Returns a function that ends it. */
  beginLink(href: string): () => void {
    const address = keptAddress(href)
    this.#link = address !== null && !this.isInHeading ? { href: address, at: this.#block.text.length } : null
    return () => this.endLink()
  }

  endLink(): void {
    const [link, block] = [this.#link, this.#block]
    this.#link = null
    if (!link || link.at > block.text.length || this.isInHeading) return
    const shown = block.text.slice(link.at)
    const text = linkText(shown, link.href)
    const [before, after] = [/^\s/, /\s$/].map(space => (space.test(shown) ? ' ' : ''))
    if (text !== null) block.text = `${block.text.slice(0, link.at)}${before}${text}${after}`
  }

  beginHeading(level: number): void {
    this.endLine()
    this.nameHeading(level)
  }

  /** Turns the current line into a heading. */
  nameHeading(level: number): void {
    this.#block.level = Math.min(6, Math.max(1, level))
  }

  /** Ends a line. In a table cell it only ends a word. */
  endLine(): void {
    const block = this.#block
    if (block.row !== null) {
      block.text += ' '
      if (block.level !== null) block.level = null
      return
    }
    const text = flat(block.text)
    const { level } = block
    block.text = ''
    block.level = null
    if (text === '') return
    if (block.note !== null) {
      this.#notes.push(`${block.note} ${text}`.trim())
      block.note = ''
    } else if (level !== null) {
      if (this.#isNamed && level === 1 && !this.target.hasText) this.target.addName(this.#here(), text)
      this.target.addHeading(this.#here(), level, text)
    } else {
      if (this.#isAfterItem && block.bullet === '') this.target.addLine(this.#here(), '')
      this.#isAfterItem = block.bullet !== '' && !this.isInList
      this.target.addLine(this.#here(), block.bullet + text)
      block.bullet = ' '.repeat(block.bullet.length)
    }
  }

  /** Ends a line, and the paragraph unless it is part of a list or row. */
  endParagraph(): void {
    const isTight = this.#block.bullet !== '' || (this.isInHeading && !this.isEmpty)
    this.endLine()
    if (this.#block.note !== null || this.isInRow) return
    if (this.#depth === 0) this.#endNotes()
    if (!this.isInList && !isTight) this.target.addLine(this.#here(), '')
  }

  /**
   * Begins a nested text: a box, or a note whose lines follow the paragraph that refers to it by `note`.
   * Returns a function that ends it.
   */
  beginAside(note: string | null = null): () => void {
    if (this.#depth >= MAX_ASIDES) return () => {}
    this.#depth++
    const around = this.#block
    const isPart = note === null && (around.note !== null || this.isInRow)
    this.#block = isPart ? { ...around, text: `${around.text} ` } : newBlock(note)
    return () => {
      this.#depth--
      const isOfRow = around.row !== null && around.row === this.#block.row
      if (!isOfRow) this.endLine()
      else around.text = this.#block.text
      this.#block = around
      if (this.#depth === 0 && this.isEmpty && !this.isInRow) this.#endNotes()
    }
  }

  /** Sets the text before the current note. */
  nameNote(note: string): void {
    if (this.#block.note !== null) this.#block.note = note
  }

  /** Adds a line after the paragraph. */
  addNote(text: string): void {
    this.#notes.push(text)
  }

  #endNotes(): void {
    if (this.#notes.length === 0) return
    const notes = this.#notes
    this.#notes = []
    this.target.addLine(this.#here(), '')
    for (const note of notes) this.target.addLine(this.#here(), note)
    this.target.addLine(this.#here(), '')
  }

  /** @param start the number of the first item, or null for bullets */
  beginList(start: number | null): void {
    if (this.#lists.length < MAX_LISTS) this.#lists.push(start === null ? null : start - 1)
  }

  /** Returns the number of the last item, or null. */
  endList(): number | null {
    return this.#lists.pop() ?? null
  }

  /** Begins an item of the innermost list. @param number its number, if it does not follow from the previous one */
  beginItem(number: number | null = null): void {
    if (this.isInRow) return
    const last = this.#lists.at(-1) ?? null
    const next = last === null ? null : (number ?? last + 1)
    if (next !== null) this.#lists[this.#lists.length - 1] = next
    this.setBullet(this.#lists.length - 1, next === null ? '-' : `${next}.`)
  }

  /** Sets the list marker of the line, at a level from 0; empty for none. */
  setBullet(level: number, mark: string): void {
    if (!this.isInRow)
      this.#block.bullet =
        mark === '' ? '' : `${'  '.repeat(Math.min(MAX_LISTS, Math.max(0, level)))}${mark} `
  }

  get isInTable(): boolean {
    return this.#tables > 0
  }

  /** Begins a table. Returns a function that ends it. @param isBegun whether the text of the line so far is in the first cell */
  beginTable(isBegun = false): () => void {
    const end = () => this.endTable()
    if (this.#tables++ > 0) return end
    if (!isBegun) this.endLine()
    this.#isFirstRow = true
    this.#above = []
    this.#down = new Map()
    return end
  }

  endTable(): void {
    this.#tables = Math.max(0, this.#tables - 1)
    if (this.#tables > 0) return
    this.endRow(false)
    if (this.#depth > 0) return
    this.target.addLine(this.#here(), '')
    this.#endNotes()
  }

  /** Cells do not span into the next row group of a table (HTML §4.9.12). */
  endRowGroup(): void {
    if (this.#tables <= 1) this.#down.clear()
  }

  /** Treats the surrounding tables as page layout. */
  breakTables(): void {
    this.endRow(true)
    this.#tables = 0
  }

  /** Begins a row. Returns a function that ends it. */
  beginRow(isBegun = false): () => void {
    const end = () => this.endRow(false)
    if (this.#tables > 1 || this.#block.note !== null) return end
    end()
    if (!isBegun) this.endLine()
    this.#block.row = []
    return end
  }

  /** Ends a cell. Its text fills all grid positions that it covers (HTML §4.9.12). */
  endCell({ columns = 1, rows = 1, isContinued = false }: CellSpan = {}): void {
    const { row, text } = this.#block
    if (row === null || this.#tables > 1) return
    this.#block.text = ''
    this.#skipCovered(row)
    const own = (isContinued && this.#above[row.length]) || flat(text)
    for (let count = Math.min(columns, MAX_CELLS); count > 0 && row.length < MAX_CELLS; count--) {
      if (rows > 1) this.#down.set(row.length, { rows: rows - 1, text: own })
      row.push(own)
    }
  }

  /** Adds the cells from above that cover this position. */
  #skipCovered(row: string[]): void {
    for (let down = this.#down.get(row.length); down; down = this.#down.get(row.length)) {
      if (--down.rows === 0) this.#down.delete(row.length)
      row.push(down.text)
    }
  }

  /** Writes the row as a line, unless it is page layout (`isLayout`, or long cells). */
  endRow(isLayout: boolean): void {
    const { row } = this.#block
    if (row === null || this.#tables > 1) return
    if (this.#block.text.trim() !== '') this.endCell()
    this.#skipCovered(row)
    this.#block.text = ''
    this.#block.row = null
    if (row.every(cell => cell === '')) return
    this.#above = row
    const isTable = !isLayout && row.length > 1 && row.every(cell => cell.length <= MAX_CELL)
    const here = this.#here()
    if (!isTable)
      for (const [at, cell] of row.entries()) if (cell !== row[at - 1]) this.target.addLine(here, cell)
    if (isTable) {
      this.target.addLine(here, rowOf(row))
      if (this.#isFirstRow) this.target.addLine(here, ruleOf(row.length))
    }
    this.#isFirstRow = false
  }

  /** Drops the current row. */
  dropRow(): void {
    this.#block.text = ''
    this.#block.row = null
  }
}
