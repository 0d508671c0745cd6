import { Parser } from 'htmlparser2'
import { timeOf } from '../notes/note-properties.js'
import { isAttachment } from '../notes/note-text.js'
import { FormulaText } from '../office/formula-text.js'
import type { Document } from '../shared/document.js'
import { keptAddress, linkText } from '../shared/link-text.js'

/** Elements whose content is not text of the page. */
const HIDDEN = new Set(
  'button datalist dialog en-crypt iframe nav noscript object script select style svg template textarea'.split(
    ' ',
  ),
)
/** Elements that begin and end a line. */
const BLOCKS = new Set(
  (
    'address article aside blockquote body br caption center dd details div dl dt fieldset figcaption figure footer ' +
    'form header hr html legend li main ol p pre section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
)
/** Elements after which a paragraph ends. */
const PARAGRAPHS = new Set('blockquote div figure ol p pre section table ul'.split(' '))
const HEADING = /^h[1-6]$/
/** Elements that break a line inside a heading; any other that begins one ends a heading that was not closed. */
const IN_HEADINGS = new Set(['br', 'center', 'div'])
/** `<meta>` with the date of a page. */
const DATES = new Set(['article:published_time', 'date', 'dc.date', 'dcterms.created', 'dcterms.date'])

/** Levels of elements. Browsers read 512 as well; closing an element costs as much time as there are levels. */
const DEEPEST = 512
/** Characters after which a line is passed on, of a heading, and of a cell of a table. */
const LONGEST_LINE = 4_000
const LONGEST_HEADING = 1_000
const LONGEST_CELL = 300
/** Cells of a row, and levels of lists. */
const MOST_CELLS = 100
const MOST_LISTS = 10

/** Takes what HTML says. */
export type HtmlTarget = Pick<
  Document,
  'time' | 'hasText' | 'addName' | 'addHeading' | 'addLine' | 'addCode' | 'addProblem'
>

export interface HtmlTextOptions {
  /** Whether the HTML is a part of the document, as XHTML: its title is not that of the document. */
  isPart?: boolean
  /** Where a record comes from, if that is not the line of the HTML. */
  lineOf?: () => number
}

/** Reads HTML or XHTML in pieces into a document: headings, paragraphs, lists, tables and code. */
export class HtmlText {
  /** Why nothing more is read. */
  problem: string | null = null
  readonly #document: HtmlTarget
  readonly #parser: Parser
  readonly #isPart: boolean
  readonly #lineOf: (() => number) | null
  #line = 1
  #piece = ''
  /** Where the piece begins in the whole, and up to where its lines have been counted. */
  #from = 0
  #counted = 0
  #depth = 0
  /** Depth of the hidden element. */
  #hiddenAt: number | null = null
  /** The formula that is read, and its depth. */
  #formula: { at: number; text: FormulaText } | null = null
  #isAfterFormula = false
  #text = ''
  /** The link that is open, and where its text begins in the line. */
  #link: { href: string; at: number } | null = null
  #isInTitle = false
  #title = ''
  #headingLevel: number | null = null
  /** The lists around the line: the number of the last item, or null for bullets. */
  #lists: (number | null)[] = []
  #bullet = ''
  /** Whether what the item of a list says is done. */
  #mark = ''
  /** The cells of the row. */
  #row: string[] | null = null
  #isFirstRow = true
  /** Depth of the block of code that is open. */
  #codeAt: number | null = null

  constructor(document: HtmlTarget, { isPart = false, lineOf }: HtmlTextOptions = {}) {
    this.#document = document
    this.#isPart = isPart
    this.#lineOf = lineOf ?? null
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => this.#open(name.toLowerCase(), attributes),
        ontext: text => this.#addText(text),
        onclosetag: name => this.#close(name.toLowerCase()),
      },
      { recognizeSelfClosing: isPart },
    )
  }

  write(piece: string): void {
    if (this.problem !== null) return
    this.#countLines(this.#from + this.#piece.length)
    this.#from += this.#piece.length
    this.#counted = 0
    this.#piece = piece
    this.#parser.write(piece)
  }

  end(): void {
    if (this.problem === null) this.#parser.end()
    this.#endLine()
  }

  get #isCode(): boolean {
    return this.#codeAt !== null
  }

  get #here(): number {
    if (this.#lineOf) return this.#lineOf()
    this.#countLines(this.#parser.startIndex)
    return this.#line
  }

  #countLines(until: number): void {
    const end = Math.min(until - this.#from, this.#piece.length)
    for (;;) {
      const at = this.#piece.indexOf('\n', this.#counted)
      if (at < 0 || at >= end) break
      this.#line++
      this.#counted = at + 1
    }
  }

  #open(name: string, attributes: Record<string, string>): void {
    if (this.problem !== null) return
    if (++this.#depth > DEEPEST) {
      this.problem = `This HTML is nested more than ${DEEPEST} levels deep.`
      this.#document.addProblem(this.#here, this.problem)
      this.#parser.pause()
      return
    }
    if (this.#hiddenAt !== null) return
    if (this.#formula) this.#formula.text.open(name, attributes)
    else if (name === 'math') this.#formula = { at: this.#depth, text: new FormulaText() }
    else if (this.#isAfterFormula && FORMULA_AGAIN.test(attributes.class ?? '')) this.#hiddenAt = this.#depth
    else if (HIDDEN.has(name) || 'hidden' in attributes || LINE_NUMBERS.test(attributes.class ?? ''))
      this.#hiddenAt = this.#depth
    else if (name === 'title') this.#isInTitle = true
    else if (name === 'meta') this.#readMeta(attributes)
    else if (name === 'a') this.#beginLink(attributes.href ?? '')
    else if (name === 'img')
      this.#addText(isAttachment(attributes.alt ?? '') ? ' ' : ` ${attributes.alt ?? ''} `)
    else if (this.#isCode) this.#breakCode(name)
    else if (this.#addCheckbox(name, attributes)) this.#hiddenAt = this.#depth
    else if (HEADING.test(name)) {
      this.#endLine()
      this.#headingLevel = Number(name[1])
    } else if ((name === 'td' || name === 'th') && this.#row !== null) this.#beginCell(attributes)
    else if (BLOCKS.has(name)) this.#openBlock(name, attributes)
  }

  #openBlock(name: string, attributes: Record<string, string>): void {
    if (this.#isInline(name)) {
      this.#addText(' ')
      return
    }
    if (name === 'table') this.#endRow(true)
    this.#endLine()
    if (name === 'ul' || name === 'ol') {
      if (this.#lists.length < MOST_LISTS) this.#lists.push(name === 'ol' ? startOf(attributes) : null)
    } else if (name === 'li') {
      this.#beginItem()
      const [, state] = CHECKED.exec(attributes.style ?? '') ?? []
      this.#mark = state === undefined ? '' : markOf(state === 'true')
    } else if (name === 'tr') {
      this.#endRow(false)
      this.#row = []
    } else if (name === 'table') this.#isFirstRow = true
    else if (name === 'pre' || IS_CODE.test(attributes.style ?? '')) this.#beginCode()
  }

  /** Whether the block only separates words: in a heading, or in a cell of a table. */
  #isInline(name: string): boolean {
    if (this.#headingLevel !== null && IN_HEADINGS.has(name)) return true
    return this.#row !== null && name !== 'tr' && name !== 'table'
  }

  #close(name: string): void {
    if (this.problem !== null) return
    const depth = this.#depth--
    if (this.#hiddenAt !== null) {
      if (depth <= this.#hiddenAt) this.#hiddenAt = null
      return
    }
    if (this.#formula) {
      this.#closeFormula(name, depth)
      return
    }
    if (this.#codeAt === depth) this.#endCode()
    if (!this.#isCode) this.#closeOutside(name)
    else if (name !== 'br') this.#breakCode(name)
  }

  #closeFormula(name: string, depth: number): void {
    const formula = this.#formula
    if (formula && depth > formula.at) formula.text.close(name)
    else {
      this.#formula = null
      this.#addText(` ${formula?.text.text()} `)
      this.#isAfterFormula = true
    }
  }

  /** The end of an element that is not in code. */
  #closeOutside(name: string): void {
    if (name === 'title' && this.#isInTitle) this.#endTitle()
    else if (name === 'a') this.#endLink()
    else if (HEADING.test(name)) this.#endHeading()
    else if (name === 'td' || name === 'th') this.#endCell()
    else if (name === 'tr' || name === 'table') this.#endRow(false)
    if (this.#row !== null || this.#headingLevel !== null) return
    if (BLOCKS.has(name)) this.#endLine()
    if (name === 'li') this.#bullet = ''
    if (name === 'ul' || name === 'ol') this.#lists.pop()
    if (PARAGRAPHS.has(name) && this.#lists.length === 0) this.#document.addLine(this.#here, '')
  }

  #addText(text: string): void {
    if (this.#hiddenAt !== null || this.problem !== null) return
    if (this.#formula) {
      if (text.trim() !== '') this.#formula.text.add(text)
      return
    }
    if (text.trim() !== '') this.#isAfterFormula = false
    if (this.#isInTitle) this.#title = (this.#title + text).slice(0, LONGEST_HEADING)
    else if (this.#isCode) this.#addCode(text)
    else {
      this.#text += text
      if (this.#headingLevel !== null && this.#text.length > LONGEST_HEADING) this.#endHeading()
      else if (this.#text.length > LONGEST_LINE && this.#row === null) this.#endLine()
      else if (this.#text.length > LONGEST_LINE) this.#endRow(true)
    }
  }

  #beginLink(href: string): void {
    const address = keptAddress(href)
    const isKept = address !== null && !this.#isCode && this.#headingLevel === null
    this.#link = isKept ? { href: address, at: this.#text.length } : null
  }

  #endLink(): void {
    const link = this.#link
    this.#link = null
    if (!link || link.at > this.#text.length || this.#isCode || this.#headingLevel !== null) return
    const text = linkText(this.#text.slice(link.at), link.href)
    if (text !== null) this.#text = `${this.#text.slice(0, link.at)} ${text}`
  }

  #endLine(): void {
    this.#endHeading()
    const text = flat(this.#text)
    this.#text = ''
    if (text === '') return
    this.#document.addLine(this.#here, this.#bullet + this.#mark + text)
    this.#mark = ''
    if (this.#bullet !== '') this.#bullet = ' '.repeat(this.#bullet.length)
  }

  #endTitle(): void {
    this.#isInTitle = false
    if (!this.#isPart) this.#document.addName(this.#here, flat(this.#title))
  }

  #endHeading(): void {
    if (this.#headingLevel === null) return
    const level = this.#headingLevel
    this.#headingLevel = null
    const text = flat(this.#text)
    this.#text = ''
    if (this.#row !== null) {
      this.#text = ` ${text} `
      return
    }
    // A page is named by its first heading.
    if (level === 1 && !this.#isPart && !this.#document.hasText) this.#document.addName(this.#here, text)
    this.#document.addHeading(this.#here, level, text)
  }

  #beginItem(): void {
    const last = this.#lists.at(-1) ?? null
    const indent = '  '.repeat(Math.max(0, this.#lists.length - 1))
    if (last !== null) this.#lists[this.#lists.length - 1] = last + 1
    this.#bullet = `${indent}${last === null ? '-' : `${last + 1}.`} `
  }

  /** Code beside the numbers of its lines is no table. */
  #beginCell({ class: kind = '' }: Record<string, string>): void {
    this.#text = ''
    if (CODE_CELL.test(kind) && this.#row?.every(cell => cell === '')) this.#row = null
  }

  #endCell(): void {
    if (this.#row === null) return
    this.#row.push(flat(this.#text))
    this.#text = ''
    if (this.#row.length > MOST_CELLS) this.#endRow(true)
  }

  /** Writes the row as a line, unless it arranges texts on the page (`isLayout`, or its cells are long). */
  #endRow(isLayout: boolean): void {
    if (this.#row === null) return
    const cells = this.#text.trim() === '' ? this.#row : [...this.#row, flat(this.#text)]
    this.#text = ''
    this.#row = null
    if (cells.every(cell => cell === '')) return
    const isTable = !isLayout && cells.length > 1 && cells.every(cell => cell.length <= LONGEST_CELL)
    if (!isTable) for (const cell of cells) this.#document.addLine(this.#here, cell)
    else {
      this.#document.addLine(this.#here, `| ${cells.join(' | ')} |`)
      if (this.#isFirstRow) this.#document.addLine(this.#here, `|${' --- |'.repeat(cells.length)}`)
    }
    this.#isFirstRow = false
  }

  /** A box in a list, of Evernote or of Notion. Returns whether the element is one. */
  #addCheckbox(name: string, { type, checked, class: kind = '' }: Record<string, string>): boolean {
    const isInList = name === 'input' && type === 'checkbox' && this.#lists.length > 0
    if (isInList || name === 'en-todo') this.#addText(markOf(checked !== undefined && checked !== 'false'))
    else if (NOTION_BOX.test(kind)) this.#addText(markOf(kind.endsWith('-on')))
    else return false
    return true
  }

  #beginCode(): void {
    this.#codeAt = this.#depth
    this.#text = ''
    this.#document.addCode(this.#here, FENCE.open, FENCE)
  }

  #addCode(text: string): void {
    const lines = (this.#text + text.replaceAll('\u00a0', ' ')).split('\n')
    this.#text = lines.pop() ?? ''
    for (const line of lines) this.#document.addCode(this.#here, line.trimEnd(), FENCE)
    if (this.#text.length <= LONGEST_LINE) return
    this.#document.addCode(this.#here, this.#text, FENCE)
    this.#text = ''
  }

  /** What begins a line in code. */
  #breakCode(name: string): void {
    if (name === 'br' || (BLOCKS.has(name) && this.#text !== '')) this.#addCode('\n')
  }

  #endCode(): void {
    if (this.#text.trim() !== '') this.#document.addCode(this.#here, this.#text.trimEnd(), FENCE)
    this.#text = ''
    this.#codeAt = null
    this.#document.addCode(this.#here, FENCE.close, null)
  }

  #readMeta({ name, property, content }: Record<string, string>): void {
    if (DATES.has((property ?? name ?? '').toLowerCase())) this.#document.time ??= timeOf(content ?? '')
  }
}

const FENCE = { open: '```', close: '```' }

/** The same formula once more, as it is shown: by KaTeX, and as a picture by Wikipedia. */
const FORMULA_AGAIN = /(?:^|\s)(?:katex-html|mwe-math-fallback-image-[a-z]{1,20})(?:\s|$)/

/** How generators of pages call the numbers of lines, and the cell of a table with the code beside them. */
const LINE_NUMBERS = /(?:^|[\s-])(?:gutter|linenos?|blob-num)(?:\s|$)/
const CODE_CELL = /(?:^|[\s-])code(?:\s|$)/

/** How Evernote writes a block of code, and an item of a list that is to be done. */
const IS_CODE = /-en-codeblock:\s{0,3}true/
const CHECKED = /--en-checked:\s{0,3}(true|false)/
const NOTION_BOX = /^checkbox checkbox-o(?:n|ff)$/

const markOf = (isChecked: boolean) => (isChecked ? '[x] ' : '[ ] ')

const flat = (text: string) => text.replace(/\s+/g, ' ').trim()

/** The number before the first item of `<ol start="3">`. */
function startOf({ start = '1' }: Record<string, string>): number {
  return /^\d{1,6}$/.test(start) ? Number(start) - 1 : 0
}
