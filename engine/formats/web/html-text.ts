import { Parser } from 'htmlparser2'
import { words } from '../../../platform/common/words.js'
import { timeOf } from '../notes/note-properties.js'
import { isAttachment } from '../notes/note-text.js'
import { FormulaText } from '../office/formula-text.js'
import { boxOf } from '../shared/markdown-text.js'
import { TextFlow, type TextTarget } from '../shared/text-flow.js'
import { isHidden, isReference, shiftOf } from './html-attributes.js'

/** Elements that begin and end a line. */
const BLOCKS =
  words(`address article aside blockquote body br caption center dd details div dl dt fieldset figcaption figure footer
  form header hr html legend li main ol p pre section summary table tbody td tfoot th thead tr ul`)
/** Elements after which a paragraph ends. */
const PARAGRAPHS = words('blockquote div figure ol p pre section table ul')
const HEADING = /^h[1-6]$/
/** Elements that break a line inside a heading; any other that begins one ends a heading that was not closed. */
const IN_HEADINGS = words('br center div')
/** `<meta>` with the date of a page. */
const DATES = words('article:published_time date dc.date dcterms.created dcterms.date')

/** Levels of elements. Browsers read 512 as well; closing an element costs as much time as there are levels. */
const MAX_DEPTH = 512
/** Characters of a title, and of a line of code after which it is passed on. */
const MAX_TITLE = 1_000
const MAX_CODE_LINE = 4_000

type Attributes = Record<string, string>

/** What an element makes of what is in it. */
interface State {
  open(name: string, attributes: Attributes): void
  add(text: string): void
  close(name: string): void
  /** The element itself ends. */
  end(): void
}

const HIDDEN: State = { open() {}, add() {}, close() {}, end() {} }

export interface HtmlTextOptions {
  /** Whether the HTML is a part of the document, as XHTML: its title is not that of the document. */
  isPart?: boolean
  /** Where a record comes from, if that is not the line of the HTML. */
  lineOf?: () => number
  /** Headings that stand before elements, by the ids of these. */
  headings?: ReadonlyMap<string, { title: string; level: number }>
}

/** Reads HTML or XHTML in pieces into a document: headings, paragraphs, lists, tables and code. */
export class HtmlText {
  /** Why nothing more is read. */
  problem: string | null = null
  readonly #target: TextTarget
  readonly #flow: TextFlow
  readonly #parser: Parser
  readonly #options: HtmlTextOptions
  readonly #lines = new LineCount()
  #depth = 0
  readonly #states: { at: number; state: State }[] = []
  readonly #page: State = {
    open: (name, attributes) => this.#open(name, attributes),
    add: text => this.#add(text),
    close: name => this.#close(name),
    end() {},
  }
  #isAfterFormula = false
  /** The elements whose text is raised or lowered, or refers to a note. */
  #shifted: { at: number; isReference: boolean } | null = null
  /** Whether what the item of a list says is done. */
  #mark = ''

  constructor(target: TextTarget, options: HtmlTextOptions = {}) {
    this.#target = target
    this.#options = options
    this.#flow = new TextFlow(target, () => this.#here, !options.isPart)
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => this.#begin(name.toLowerCase(), attributes),
        ontext: text => {
          if (this.problem === null) this.#state.add(text)
        },
        onclosetag: name => this.#end(name.toLowerCase()),
      },
      { recognizeSelfClosing: options.isPart ?? false },
    )
  }

  write(piece: string): void {
    if (this.problem !== null) return
    this.#lines.next(piece)
    this.#parser.write(piece)
  }

  end(): void {
    if (this.problem === null) this.#parser.end()
    this.#flow.endLine()
  }

  get #here(): number {
    return this.#options.lineOf?.() ?? this.#lines.until(this.#parser.startIndex)
  }

  get #state(): State {
    return this.#states.at(-1)?.state ?? this.#page
  }

  #begin(name: string, attributes: Attributes): void {
    if (this.problem !== null) return
    if (++this.#depth <= MAX_DEPTH) this.#state.open(name, attributes)
    else {
      this.problem = `This HTML is nested more than ${MAX_DEPTH} levels deep.`
      this.#target.addProblem(this.#here, this.problem)
      this.#parser.pause()
    }
  }

  #end(name: string): void {
    if (this.problem !== null) return
    const depth = this.#depth--
    const top = this.#states.at(-1)
    if (top?.at === depth) {
      this.#states.pop()
      top.state.end()
      if (top.state === HIDDEN) return
    } else if (top) {
      top.state.close(name)
      return
    }
    if (this.#shifted?.at === depth) this.#endShift()
    this.#close(name)
  }

  /** Until the element ends, this reads what is in it. */
  #enter(state: State): void {
    this.#states.push({ at: this.#depth, state })
  }

  #open(name: string, attributes: Attributes): void {
    const heading = this.#options.headings?.get(attributes.id ?? '')
    if (heading && attributes.id) {
      this.#flow.endLine()
      this.#target.addHeading(this.#here, heading.level, heading.title)
    }
    if (name === 'math') this.#enter(this.#formula())
    else if (this.#isAfterFormula && FORMULA_AGAIN.test(attributes.class ?? '')) this.#enter(HIDDEN)
    else if (isHidden(name, attributes)) this.#enter(HIDDEN)
    else if (name === 'title') this.#enter(this.#title())
    else if (name === 'meta') this.#readMeta(attributes)
    else if (this.#addCheckbox(name, attributes)) this.#enter(HIDDEN)
    else if (HEADING.test(name)) this.#flow.beginHeading(Number(name[1]))
    else if ((name === 'td' || name === 'th') && this.#flow.isInRow) this.#beginCell(attributes)
    else if (BLOCKS.has(name)) this.#openBlock(name, attributes)
    else this.#openInline(name, attributes)
  }

  #openInline(name: string, attributes: Attributes): void {
    const kind = shiftOf(name, attributes)
    if (kind !== null) this.#shift(kind, false)
    if (name === 'a') {
      if (isReference(attributes)) this.#shift('raised', true)
      else if (this.#shifted && attributes.href?.startsWith('#')) this.#shifted.isReference = true
      this.#flow.beginLink(attributes.href ?? '')
    } else if (name === 'img') {
      const { alt = '' } = attributes
      this.#add(isAttachment(alt) ? ' ' : ` ${alt} `)
    }
  }

  #shift(kind: 'raised' | 'lowered', isReference: boolean): void {
    if (this.#shifted) this.#shifted.isReference ||= isReference
    else {
      this.#shifted = { at: this.#depth, isReference }
      this.#flow.shift(kind)
    }
  }

  #endShift(): void {
    this.#flow.endShift(this.#shifted?.isReference)
    this.#shifted = null
  }

  #openBlock(name: string, attributes: Attributes): void {
    const flow = this.#flow
    if (this.#isInline(name)) {
      flow.add(' ')
      return
    }
    if (name === 'table') flow.breakTables()
    flow.endLine()
    if (name === 'ul') flow.beginList(null)
    else if (name === 'ol') flow.beginList(numberOf(attributes.start) ?? 1)
    else if (name === 'li') {
      flow.beginItem(numberOf(attributes.value))
      const [, state] = CHECKED.exec(attributes.style ?? '') ?? []
      this.#mark = state === undefined ? '' : boxOf(state === 'true')
    } else if (name === 'tr') flow.beginRow()
    else if (name === 'table') flow.beginTable()
    else if (name === 'pre' || IS_CODE.test(attributes.style ?? '')) this.#enter(this.#code())
  }

  /** Whether the block only separates words: in a heading, or in a cell of a table. */
  #isInline(name: string): boolean {
    if (this.#flow.isInHeading && IN_HEADINGS.has(name)) return true
    return this.#flow.isInRow && name !== 'tr' && name !== 'table'
  }

  /** The end of an element that is not in code. */
  #close(name: string): void {
    const flow = this.#flow
    if (name === 'a') flow.endLink()
    else if (HEADING.test(name) && flow.isInHeading) flow.endLine()
    else if (name === 'td' || name === 'th') flow.endCell(this.#span)
    else if (name === 'tr') flow.endRow(false)
    else if (name === 'table') flow.endTable()
    if (flow.isInRow || flow.isInHeading || name === 'table') return
    if (PARAGRAPHS.has(name) && name !== 'ul' && name !== 'ol') flow.endParagraph()
    else if (BLOCKS.has(name)) flow.endLine()
    if (name === 'li') flow.setBullet(0, '')
    if (name !== 'ul' && name !== 'ol') return
    flow.endList()
    flow.endParagraph()
  }

  #add(text: string): void {
    const isText = text.trim() !== ''
    this.#flow.add(isText ? this.#mark + text : text)
    if (!isText) return
    this.#isAfterFormula = false
    this.#mark = ''
  }

  #span = {}

  /** Code beside the numbers of its lines is no table. */
  #beginCell({ class: kind = '', colspan, rowspan }: Attributes): void {
    if (CODE_CELL.test(kind) && this.#flow.isRowEmpty) this.#flow.dropRow()
    // 0: all rows that are left.
    const rows = numberOf(rowspan) ?? 1
    this.#span = {
      columns: Math.max(1, numberOf(colspan) ?? 1),
      rows: rows === 0 ? Number.POSITIVE_INFINITY : rows,
    }
  }

  /** A box in a list, of Evernote or of Notion. Returns whether the element is one. */
  #addCheckbox(name: string, { type, checked, class: kind = '' }: Attributes): boolean {
    const isBox = name === 'input' && type === 'checkbox' && (this.#flow.isInList || checked !== undefined)
    if (isBox || name === 'en-todo') this.#add(boxOf(checked !== undefined && checked !== 'false'))
    else if (NOTION_BOX.test(kind)) this.#add(boxOf(kind.endsWith('-on')))
    else return false
    return true
  }

  #formula(): State {
    const formula = new FormulaText()
    return {
      open: (name, attributes) => formula.open(name, attributes),
      add: text => {
        if (text.trim() !== '') formula.add(text)
      },
      close: name => formula.close(name),
      end: () => {
        this.#add(` ${formula.text()} `)
        this.#isAfterFormula = true
      },
    }
  }

  #title(): State {
    let title = ''
    return {
      ...HIDDEN,
      add: text => {
        title = (title + text).slice(0, MAX_TITLE)
      },
      end: () => {
        if (!this.#options.isPart) this.#target.addName(this.#here, title.replace(/\s+/g, ' ').trim())
      },
    }
  }

  #code(): State {
    const target = this.#target
    let line = ''
    const add = (text: string) => {
      const lines = (line + text.replaceAll('\u00a0', ' ')).split('\n')
      line = lines.pop() ?? ''
      for (const line of lines) target.addCode(this.#here, line.trimEnd(), FENCE)
      if (line.length <= MAX_CODE_LINE) return
      target.addCode(this.#here, line, FENCE)
      line = ''
    }
    const endLine = (name: string) => {
      if (name === 'br' || (BLOCKS.has(name) && line !== '')) add('\n')
    }
    target.addCode(this.#here, FENCE.open, FENCE)
    return {
      add,
      open: (name, attributes) => {
        if (isHidden(name, attributes)) this.#enter(HIDDEN)
        else endLine(name)
      },
      close: name => {
        if (name !== 'br') endLine(name)
      },
      end: () => {
        if (line.trim() !== '') target.addCode(this.#here, line.trimEnd(), FENCE)
        target.addCode(this.#here, FENCE.close, null)
      },
    }
  }

  #readMeta({ name, property, content }: Attributes): void {
    if (DATES.has((property ?? name ?? '').toLowerCase())) this.#target.time ??= timeOf(content ?? '')
  }
}

/** The line of a place in a text that comes in pieces. */
class LineCount {
  #line = 1
  #piece = ''
  /** Where the piece begins in the whole, and up to where its lines have been counted. */
  #from = 0
  #counted = 0

  next(piece: string): void {
    this.until(this.#from + this.#piece.length)
    this.#from += this.#piece.length
    this.#counted = 0
    this.#piece = piece
  }

  until(place: number): number {
    const end = Math.min(place - this.#from, this.#piece.length)
    for (;;) {
      const at = this.#piece.indexOf('\n', this.#counted)
      if (at < 0 || at >= end) return this.#line
      this.#line++
      this.#counted = at + 1
    }
  }
}

const FENCE = { open: '```', close: '```' }

/** The same formula once more, as it is shown: by KaTeX, and as a picture by Wikipedia. */
const FORMULA_AGAIN = /(?:^|\s)(?:katex-html|mwe-math-fallback-image-[a-z]{1,20})(?:\s|$)/
const CODE_CELL = /(?:^|[\s-])code(?:\s|$)/

/** How Evernote writes a block of code, and an item of a list that is to be done. */
const IS_CODE = /-en-codeblock:\s{0,3}true/
const CHECKED = /--en-checked:\s{0,3}(true|false)/
const NOTION_BOX = /^checkbox checkbox-o(?:n|ff)$/

const numberOf = (text = ''): number | null => (/^-?\d{1,6}$/.test(text.trim()) ? Number(text) : null)
