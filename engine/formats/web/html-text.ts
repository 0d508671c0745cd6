import { words } from '../../../platform/common/words.js'
import { timeOf } from '../notes/note-properties.js'
import { isAttachment } from '../notes/note-text.js'
import { type Attributes, ElementReader, type End } from '../shared/element-reader.js'
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
const ROW_GROUP = /^t(?:head|body|foot)$/
/** Elements that break a line inside a heading; other blocks end a heading that was not closed. */
const IN_HEADINGS = words('br center div')
/** `<meta>` names for the date of a page. */
const DATES = words('article:published_time date dc.date dcterms.created dcterms.date')

/** Maximum nesting of elements, as in browsers; closing an element takes time proportional to the depth. */
const MAX_DEPTH = 512
/** Maximum characters of a title, and of a line of code. */
const MAX_TITLE = 1_000
const MAX_CODE_LINE = 4_000

export interface HtmlTextOptions {
  /** Whether the HTML is an XHTML part of the document, whose own title is ignored. */
  isPart?: boolean
  /** The source line of a record, if it is not the line of the HTML. */
  lineOf?: () => number
  /** Headings to add before elements, by element id. */
  headings?: ReadonlyMap<string, { title: string; level: number }>
}

/** Reads HTML or XHTML in pieces into a document: headings, paragraphs, lists, tables and code. */
export class HtmlText extends ElementReader {
  /** Why reading has stopped. */
  problem: string | null = null
  readonly #target: TextTarget
  readonly #flow: TextFlow
  readonly #options: HtmlTextOptions
  readonly #lines = new LineCount()
  #code: CodeLines | null = null
  #title = ''
  #isAfterFormula = false
  /** The checkbox of the current list item. */
  #mark = ''

  constructor(target: TextTarget, options: HtmlTextOptions = {}) {
    super(name => name.toLowerCase(), { recognizeSelfClosing: options.isPart ?? false })
    this.#target = target
    this.#options = options
    this.#flow = new TextFlow(target, () => this.#here, !options.isPart)
  }

  override write(piece: string): void {
    if (this.problem !== null) return
    this.#lines.next(piece)
    super.write(piece)
  }

  override end(): void {
    if (this.problem === null) super.end()
    this.#flow.endLine()
  }

  get #here(): number {
    return this.#options.lineOf?.() ?? this.#lines.until(this.place)
  }

  protected override nested(depth: number): void {
    if (depth <= MAX_DEPTH || this.problem !== null) return
    this.problem = `This HTML is nested more than ${MAX_DEPTH} levels deep.`
    this.#target.addProblem(this.#here, this.problem)
  }

  protected override isAside(name: string, attributes: Attributes): boolean {
    const isAgain = this.#isAfterFormula && FORMULA_AGAIN.test(attributes.class ?? '')
    return this.problem !== null || isAgain || isHidden(name, attributes)
  }

  protected text(text: string, within: string): void {
    if (this.problem !== null) return
    if (this.#code) this.#code.add(text)
    else if (within === 'title') this.#title = (this.#title + text).slice(0, MAX_TITLE)
    else this.#add(text)
  }

  protected override open(name: string, attributes: Attributes): End {
    const code = this.#code
    if (code) {
      code.endLine(name)
      return name === 'br' ? undefined : () => code.endLine(name)
    }
    const heading = this.#options.headings?.get(attributes.id ?? '')
    if (heading && attributes.id) {
      this.#flow.endLine()
      this.#target.addHeading(this.#here, heading.level, heading.title)
    }
    if (name === 'math') return this.formula(text => this.#addFormula(text))
    if (name === 'title') return () => this.#endTitle()
    if (name === 'meta') this.#readMeta(attributes)
    else if (this.#addCheckbox(name, attributes)) return this.hide()
    else if (HEADING.test(name)) this.#flow.beginHeading(Number(name[1]))
    else if ((name === 'td' || name === 'th') && this.#flow.isInRow) this.#beginCell(attributes)
    else if (BLOCKS.has(name)) return this.#openBlock(name, attributes)
    else return this.#openInline(name, attributes)
    return () => this.#close(name)
  }

  #openInline(name: string, attributes: Attributes): End {
    // Choices of a Notion property follow each other without spaces.
    if (attributes.class?.startsWith('selected-value') && !this.#flow.isEmpty) this.#flow.add(', ')
    const kind = shiftOf(name, attributes)
    const isNote = name === 'a' && isReference(attributes)
    const endShift = isNote ? this.#flow.shift('raised', true) : kind ? this.#flow.shift(kind) : undefined
    if (name === 'a') {
      if (attributes.href?.startsWith('#')) this.#flow.refer()
      this.#flow.beginLink(attributes.href ?? '')
    } else if (name === 'img') {
      const { alt = '' } = attributes
      this.#add(isAttachment(alt) ? ' ' : ` ${alt} `)
    }
    return () => {
      endShift?.()
      this.#close(name)
    }
  }

  #openBlock(name: string, attributes: Attributes): End {
    const flow = this.#flow
    const end = () => this.#close(name)
    if (this.#isInline(name)) {
      flow.add(' ')
      return end
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
    else if (name === 'pre' || IS_CODE.test(attributes.style ?? '')) return this.#beginCode(end)
    return end
  }

  /** Whether the block only separates words: in a heading or a table cell. */
  #isInline(name: string): boolean {
    if (this.#flow.isInHeading && IN_HEADINGS.has(name)) return true
    return this.#flow.isInRow && name !== 'tr' && name !== 'table'
  }

  /** Ends an element outside of code. */
  #close(name: string): void {
    const flow = this.#flow
    if (name === 'a') flow.endLink()
    else if (HEADING.test(name) && flow.isInHeading) flow.endLine()
    else if (name === 'td' || name === 'th') flow.endCell(this.#span)
    else if (name === 'tr') flow.endRow(false)
    else if (ROW_GROUP.test(name)) flow.endRowGroup()
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

  /** Code that is laid out as a table beside its line numbers is read as code. */
  #beginCell({ class: kind = '', colspan, rowspan }: Attributes): void {
    if (CODE_CELL.test(kind) && this.#flow.isRowEmpty) this.#flow.dropRow()
    // 0 means all remaining rows.
    const rows = numberOf(rowspan) ?? 1
    this.#span = {
      columns: Math.max(1, numberOf(colspan) ?? 1),
      rows: rows === 0 ? Number.POSITIVE_INFINITY : rows,
    }
  }

  /** Adds the checkbox of an Evernote or Notion list. Returns whether the element is one. */
  #addCheckbox(name: string, { type, checked, class: kind = '' }: Attributes): boolean {
    const isBox = name === 'input' && type === 'checkbox' && (this.#flow.isInList || checked !== undefined)
    if (isBox || name === 'en-todo') this.#add(boxOf(checked !== undefined && checked !== 'false'))
    else if (NOTION_BOX.test(kind)) this.#add(boxOf(kind.endsWith('-on')))
    else return false
    return true
  }

  #addFormula(text: string): void {
    this.#add(` ${text} `)
    this.#isAfterFormula = true
  }

  #endTitle(): void {
    if (!this.#options.isPart) this.#target.addName(this.#here, this.#title.replace(/\s+/g, ' ').trim())
    this.#title = ''
  }

  #beginCode(end: () => void): End {
    this.#code = new CodeLines((text, fence) => this.#target.addCode(this.#here, text, fence))
    return () => {
      this.#code?.end()
      this.#code = null
      end()
    }
  }

  #readMeta({ name, property, content }: Attributes): void {
    if (DATES.has((property ?? name ?? '').toLowerCase())) this.#target.time ??= timeOf(content ?? '')
  }
}

/** Collects the lines of a code block; block elements end a line as well. */
class CodeLines {
  #line = ''
  readonly #write: (text: string, fence: typeof FENCE | null) => void

  constructor(write: (text: string, fence: typeof FENCE | null) => void) {
    this.#write = write
    write(FENCE.open, FENCE)
  }

  add(text: string): void {
    const lines = (this.#line + text.replaceAll('\u00a0', ' ')).split('\n')
    this.#line = lines.pop() ?? ''
    for (const line of lines) this.#write(line.trimEnd(), FENCE)
    if (this.#line.length <= MAX_CODE_LINE) return
    this.#write(this.#line, FENCE)
    this.#line = ''
  }

  endLine(element: string): void {
    if (element === 'br' || (BLOCKS.has(element) && this.#line !== '')) this.add('\n')
  }

  end(): void {
    if (this.#line.trim() !== '') this.#write(this.#line.trimEnd(), FENCE)
    this.#write(FENCE.close, null)
  }
}

/** Finds the line number of an offset in a text that arrives in pieces. */
class LineCount {
  #line = 1
  /** The text whose lines are not counted yet, and its offset. */
  #rest = ''
  #from = 0

  next(piece: string): void {
    this.until(this.#from + this.#rest.length)
    this.#rest = piece
  }

  until(place: number): number {
    const counted = this.#rest.slice(0, Math.max(0, place - this.#from))
    this.#line += counted.split('\n').length - 1
    this.#from += counted.length
    this.#rest = this.#rest.slice(counted.length)
    return this.#line
  }
}

const FENCE = { open: '```', close: '```' }

/** Repeated formulas for display: by KaTeX, and as a picture by Wikipedia. */
const FORMULA_AGAIN = /(?:^|\s)(?:katex-html|mwe-math-fallback-image-[a-z]{1,20})(?:\s|$)/
const CODE_CELL = /(?:^|[\s-])code(?:\s|$)/

/** Evernote's styles for a code block, and for a checklist item. */
const IS_CODE = /-en-codeblock:\s{0,3}true/
const CHECKED = /--en-checked:\s{0,3}(true|false)/
const NOTION_BOX = /^checkbox checkbox-o(?:n|ff)$/

const numberOf = (text = ''): number | null => (/^-?\d{1,6}$/.test(text.trim()) ? Number(text) : null)
