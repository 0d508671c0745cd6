import { Parser } from 'htmlparser2'
import type { Document } from '../shared/document.js'
import { piecesOf } from '../shared/lines.js'

/** Elements with what is not text of the document: comments, deleted text, settings, other forms of the same. */
const ASIDE = new Set([
  'office:annotation',
  'text:tracked-changes',
  'text:ruby-text',
  'office:automatic-styles',
  'office:font-face-decls',
  'svg:title',
  'svg:desc',
  'draw:object',
  'text:index-title-template',
])
const LONGEST_LINE = 20_000
const MOST_CELLS = 100
const MOST_LISTS = 10
/** Paragraphs inside paragraphs: of notes and frames. */
const DEEPEST = 20

/** Reads the text of `content.xml` (OpenDocument 1.3 part 3 §5) in pieces into a document. */
export class OdfText {
  readonly #document: Document
  readonly #formulas: ReadonlyMap<string, string>
  readonly #parser: Parser
  #line = 1
  #text = ''
  #isOpen = false
  #aside = 0
  /** Paragraphs that go on behind the one that is read, which is in a note or a frame of theirs. */
  readonly #around: { text: string; heading: number }[] = []
  /** The note that is read: how the text refers to it; and notes that stand below their paragraph. */
  #note: string | null = null
  #notes: string[] = []
  #lists = 0
  #heading = 0
  #slide = 0
  #isNotes = false
  /** Cells of the row of the outermost table. */
  #row: string[] | null = null
  #tables = 0
  #isFirstRow = true

  /** @param formulas what the formulas say, by the paths of their objects */
  constructor(document: Document, formulas: ReadonlyMap<string, string> = new Map()) {
    this.#document = document
    this.#formulas = formulas
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => this.#open(name, attributes),
        ontext: text => {
          if (this.#isOpen && this.#aside === 0 && this.#text.length < LONGEST_LINE)
            this.#text += text.replace(/\s+/g, ' ')
        },
        onclosetag: name => this.#close(name),
      },
      { xmlMode: true },
    )
  }

  write(text: string): void {
    for (const piece of piecesOf(text)) this.#parser.write(piece)
  }

  end(): void {
    this.#parser.end()
  }

  #open(name: string, attributes: Record<string, string>): void {
    if (name === 'draw:object' && this.#isOpen && this.#aside === 0)
      this.#text += this.#formulas.get((attributes['xlink:href'] ?? '').replace(/^\.\//, '')) ?? ''
    if (ASIDE.has(name)) this.#aside++
    if (this.#aside > 0) return
    switch (name) {
      case 'text:h':
        this.#beginParagraph(Math.min(6, Math.max(1, Number(attributes['text:outline-level']) || 1)))
        break
      case 'text:p':
        this.#beginParagraph(0)
        break
      case 'text:note-citation':
        this.#text += '['
        break
      case 'text:note-body':
        this.#note = this.#text.slice(this.#text.lastIndexOf('['))
        break
      case 'text:s':
      case 'text:tab':
      case 'text:line-break':
        if (this.#isOpen) this.#text += ' '
        break
      case 'text:list':
        this.#lists++
        break
      case 'table:table':
        if (this.#tables++ === 0) this.#isFirstRow = true
        break
      case 'table:table-row':
        if (this.#tables === 1) this.#row = []
        break
      case 'table:table-cell':
        if (this.#tables === 1 && (this.#row?.length ?? 0) < MOST_CELLS) this.#row?.push('')
        break
      case 'draw:page':
        this.#document.addPlace(`Slide ${++this.#slide}`)
        this.#line = this.#slide
        break
      case 'presentation:notes':
        this.#isNotes = true
        break
    }
  }

  #close(name: string): void {
    if (ASIDE.has(name)) this.#aside--
    else if (this.#aside > 0) return
    else if (name === 'text:h' || name === 'text:p') this.#endParagraph()
    else if (name === 'text:note-citation') this.#text += ']'
    else if (name === 'text:note-body') this.#note = null
    else if (name === 'text:list') this.#lists--
    else if (name === 'table:table') this.#endTable()
    else if (name === 'table:table-row' && this.#tables === 1) this.#endRow()
    else if (name === 'presentation:notes') this.#isNotes = false
    else if (name === 'draw:page') this.#document.addLine(this.#line, '')
  }

  #beginParagraph(heading: number): void {
    if (this.#isOpen && this.#around.length < DEEPEST)
      this.#around.push({ text: this.#text, heading: this.#heading })
    this.#text = ''
    this.#heading = heading
    this.#isOpen = true
  }

  #endParagraph(): void {
    const text = this.#text.replace(/\s+/g, ' ').trim()
    const level = this.#heading
    const around = this.#around.pop()
    this.#text = around?.text ?? ''
    this.#isOpen = around !== undefined
    this.#heading = around?.heading ?? 0
    if (this.#slide === 0) this.#line++
    if (this.#note === null) this.#addParagraph(text, level)
    else if (text !== '') this.#notes.push(`${this.#note} ${text}`.trim())
    if (this.#note !== null) this.#note = ''
    if (!around && this.#tables === 0) this.#addNotes()
  }

  #addNotes(): void {
    for (const note of this.#notes) this.#document.addLine(this.#line, note)
    if (this.#notes.length > 0) this.#document.addLine(this.#line, '')
    this.#notes = []
  }

  #addParagraph(text: string, level: number): void {
    if (this.#row) {
      const last = this.#row.length - 1
      if (text !== '' && last >= 0)
        this.#row[last] = `${this.#row[last]} ${text}`.trim().slice(0, LONGEST_LINE)
    } else if (level > 0) this.#document.addHeading(this.#line, level, text)
    else if (this.#lists > 0 && this.#slide === 0) {
      if (text !== '')
        this.#document.addLine(this.#line, `${'  '.repeat(Math.min(this.#lists, MOST_LISTS) - 1)}- ${text}`)
    } else if (text !== '') {
      this.#document.addLine(this.#line, this.#isNotes ? `Notes: ${text}` : text)
      if (this.#slide === 0) this.#document.addLine(this.#line, '')
    }
  }

  #endRow(): void {
    const cells = this.#row ?? []
    this.#row = null
    if (cells.every(cell => cell === '')) return
    this.#document.addLine(this.#line, `| ${cells.join(' | ')} |`)
    if (this.#isFirstRow) this.#document.addLine(this.#line, `|${' --- |'.repeat(cells.length)}`)
    this.#isFirstRow = false
  }

  #endTable(): void {
    if (--this.#tables > 0) return
    this.#document.addLine(this.#line, '')
    this.#addNotes()
  }
}
