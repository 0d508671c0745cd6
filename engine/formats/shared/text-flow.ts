import type { Document } from './document.js'
import { flat } from './flat.js'
import { keptAddress, linkText, rowOf, ruleOf } from './markdown-text.js'
import { type Shift, shiftedText } from './raised-text.js'

/** Collects lines of Markdown. */
export const linesTarget = (lines: string[]): TextTarget => ({
  time: undefined,
  hasText: false,
  addName: () => {},
  addHeading: (_, level, text) => void lines.push(`${'#'.repeat(level)} ${text}`, ''),
  addLine: (_, text) => void lines.push(text),
  addCode: (_, text) => void lines.push(text),
  addProblem: () => {},
})

/** Takes the lines of a document. */
export type TextTarget = Pick<
  Document,
  'time' | 'hasText' | 'addName' | 'addHeading' | 'addLine' | 'addCode' | 'addProblem'
>

/** Characters of a line after which it is passed on, of a heading, and of a cell of a table. */
const MAX_LINE = 4_000
const MAX_HEADING = 1_000
const MAX_CELL = 300
/** Cells of a row, levels of lists, and texts inside of one another. */
const MAX_CELLS = 100
const MAX_LISTS = 10
const MAX_ASIDES = 20

/** A paragraph, heading or row that is read. */
interface Block {
  text: string
  /** Level of a heading. */
  level: number | null
  /** What begins the line: a bullet, or spaces as wide. */
  bullet: string
  row: string[] | null
  /** How the text refers to the note that is read. */
  note: string | null
}

const newBlock = (note: string | null = null): Block => ({
  text: '',
  level: null,
  bullet: '',
  row: null,
  note,
})

/** A cell of a table: how many columns and rows it covers, or whether it goes on from the row above. */
interface CellSpan {
  columns?: number
  rows?: number
  isContinued?: boolean
}

/**
 * Writes what a document has as lines of Markdown: headings, paragraphs, lists, tables, links, raised numbers. Readers say what
 * begins and ends, in the order of the document.
 */
export class TextFlow {
  readonly target: TextTarget
  readonly #here: () => number
  #block = newBlock()
  /** Blocks that go on behind what is read inside of them. */
  readonly #around: Block[] = []
  /** Beyond the deepest. */
  #beyond = 0
  #notes: string[] = []
  /** The link that is open, and where its text begins in the line. */
  #link: { href: string; at: number } | null = null
  #shifted: { at: number; kind: Shift } | null = null
  /** The last raised or lowered text as it was, where it ends, and whether it refers to a note. */
  #last: { at: number; end: number; text: string; kind: Shift; isReference: boolean } | null = null
  /** The lists around the line: the number of the last item, or null for bullets. */
  readonly #lists: (number | null)[] = []
  /** Whether the last line was that of an item whose list is not known to end. */
  #isAfterItem = false
  /** Tables around the row; how many rows the outermost has; its last row; cells that cover rows below, by column. */
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

  /** Whether the row has no text in the cells that have ended. */
  get isRowEmpty(): boolean {
    return this.#block.row?.every(cell => cell === '') ?? false
  }

  get isInHeading(): boolean {
    return this.#block.level !== null
  }

  get isInNote(): boolean {
    return this.#block.note !== null
  }

  /** The last mark in the line that refers to a note: `[1]`. */
  get lastReference(): string {
    const { text } = this.#block
    return text.slice(text.lastIndexOf('[')).trim()
  }

  get isInList(): boolean {
    return this.#lists.length > 0
  }

  /** Whether the line has no text yet. */
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

  /** Raised or lowered text begins, or goes on. Returns what ends it. */
  shift(kind: Shift): () => void {
    const [last, block] = [this.#last, this.#block]
    const end = () => this.endShift()
    if (this.#shifted) return end
    const isSame = last?.kind === kind && last.end === block.text.length && !last.isReference
    if (isSame) block.text = block.text.slice(0, last.at) + last.text
    this.#shifted = { at: isSame ? last.at : block.text.length, kind }
    return end
  }

  /** @param isReference whether the text refers to a note */
  endShift(isReference = false): void {
    const [shifted, block] = [this.#shifted, this.#block]
    this.#shifted = null
    if (!shifted || shifted.at > block.text.length) return
    const [before, text] = [block.text.slice(0, shifted.at), block.text.slice(shifted.at)]
    const isIndexed = this.#last?.kind === 'lowered' && this.#last.end === shifted.at
    block.text = before + shiftedText(isIndexed ? 'x' : before, text, shifted.kind, isReference)
    this.#last = { ...shifted, end: block.text.length, text, isReference }
  }

  /** Returns what ends it. */
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

  /** The line that is read is a heading. */
  nameHeading(level: number): void {
    this.#block.level = Math.min(6, Math.max(1, level))
  }

  /** What was read since the last line ended is one. In a cell of a table it only ends a word. */
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
    } else if (level !== null) this.#addHeading(level, text)
    else {
      if (this.#isAfterItem && block.bullet === '') this.target.addLine(this.#here(), '')
      this.#isAfterItem = block.bullet !== '' && !this.isInList
      this.target.addLine(this.#here(), block.bullet + text)
      block.bullet = ' '.repeat(block.bullet.length)
    }
  }

  #addHeading(level: number, text: string): void {
    if (this.#isNamed && level === 1 && !this.target.hasText) this.target.addName(this.#here(), text)
    this.target.addHeading(this.#here(), level, text)
  }

  /** Ends a line, and a paragraph unless it is part of a list or of a row. */
  endParagraph(): void {
    const isTight = this.#block.bullet !== '' || (this.isInHeading && !this.isEmpty)
    this.endLine()
    if (this.#block.note !== null || this.isInRow) return
    if (this.#around.length === 0) this.#endNotes()
    if (!this.isInList && !isTight) this.target.addLine(this.#here(), '')
  }

  /**
   * A text begins inside of another one: in a box, or a note, whose lines come after the paragraph that refers to it by `note`.
   * Returns what ends it.
   */
  beginAside(note: string | null = null): () => void {
    if (this.#around.length >= MAX_ASIDES) this.#beyond++
    else {
      this.#around.push(this.#block)
      const isPart = note === null && (this.#block.note !== null || this.isInRow)
      this.#block = isPart ? { ...this.#block, text: `${this.#block.text} ` } : newBlock(note)
    }
    return () => this.endAside()
  }

  endAside(): void {
    if (this.#beyond > 0) this.#beyond--
    else {
      const block = this.#block
      const around = this.#around.pop()
      const isPart = around !== undefined && around.row === block.row && around.row !== null
      if (!isPart) this.endLine()
      this.#block = around ?? newBlock()
      if (isPart) this.#block.text = block.text
    }
    if (this.#around.length === 0 && this.isEmpty && !this.isInRow) this.#endNotes()
  }

  /** What stands before the note that is read. */
  nameNote(note: string): void {
    if (this.#block.note !== null) this.#block.note = note
  }

  /** Adds a line behind the paragraph. */
  addNote(text: string): void {
    this.#notes.push(text)
  }

  /** Adds lines of Markdown as they are, with their headings. */
  addLines(lines: readonly string[]): void {
    this.endLine()
    for (const line of lines) {
      const [, marks = '', text = ''] = /^(#{1,6}) (.*)$/s.exec(line) ?? []
      if (marks === '') this.target.addLine(this.#here(), line)
      else this.target.addHeading(this.#here(), marks.length, text)
    }
    this.target.addLine(this.#here(), '')
  }

  #endNotes(): void {
    if (this.#notes.length === 0) return
    const notes = this.#notes
    this.#notes = []
    this.target.addLine(this.#here(), '')
    for (const note of notes) this.target.addLine(this.#here(), note)
    this.target.addLine(this.#here(), '')
  }

  /** @param start the number of its first item, or null for bullets */
  beginList(start: number | null): void {
    if (this.#lists.length < MAX_LISTS) this.#lists.push(start === null ? null : start - 1)
  }

  /** Returns the number of its last item, or null. */
  endList(): number | null {
    return this.#lists.pop() ?? null
  }

  /** An item of the innermost list. @param number its own number, if it does not follow from the one before */
  beginItem(number: number | null = null): void {
    if (this.isInRow) return
    const last = this.#lists.at(-1) ?? null
    const next = last === null ? null : (number ?? last + 1)
    if (next !== null) this.#lists[this.#lists.length - 1] = next
    this.setBullet(this.#lists.length - 1, next === null ? '-' : `${next}.`)
  }

  /** The line begins with this mark of a list, at a level from 0; empty: none. */
  setBullet(level: number, mark: string): void {
    if (!this.isInRow)
      this.#block.bullet =
        mark === '' ? '' : `${'  '.repeat(Math.min(MAX_LISTS, Math.max(0, level)))}${mark} `
  }

  get isInTable(): boolean {
    return this.#tables > 0
  }

  /** Returns what ends it. @param isBegun whether what has been read of the line is in its first cell */
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
    if (this.#around.length > 0) return
    this.target.addLine(this.#here(), '')
    this.#endNotes()
  }

  /** Cells cover no rows of the next part of a table (HTML §4.9.12). */
  endRowGroup(): void {
    if (this.#tables <= 1) this.#down.clear()
  }

  /** The tables around are no more than an order of texts on the page. */
  breakTables(): void {
    this.endRow(true)
    this.#tables = 0
  }

  /** Returns what ends it. */
  beginRow(isBegun = false): () => void {
    const end = () => this.endRow(false)
    if (this.#tables > 1 || this.#block.note !== null) return end
    end()
    if (!isBegun) this.endLine()
    this.#block.row = []
    return end
  }

  /** Ends a cell, whose text is in every place of the grid that it covers (HTML §4.9.12). */
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

  /** Gives the row the cells that cover this place from above. */
  #skipCovered(row: string[]): void {
    for (let down = this.#down.get(row.length); down; down = this.#down.get(row.length)) {
      if (--down.rows === 0) this.#down.delete(row.length)
      row.push(down.text)
    }
  }

  /** Writes the row as a line, unless it arranges texts on the page (`isLayout`, or its cells are long). */
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

  /** Leaves out the row as far as it has been read. */
  dropRow(): void {
    this.#block.text = ''
    this.#block.row = null
  }
}
