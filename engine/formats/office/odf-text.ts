import { words } from '../../../platform/common/words.js'
import { type Attributes, ElementReader, type End, type Handlers } from '../shared/element-reader.js'
import { TextFlow, type TextTarget } from '../shared/text-flow.js'
import { localName } from '../shared/xml-elements.js'
import { OdfStyles } from './odf-styles.js'

/** Elements whose text is not part of the document: deleted text, ruby text, alternative forms. */
const ASIDE = words(`text:tracked-changes text:ruby-text svg:title svg:desc draw:object
  text:index-title-template office:forms dc:date meta:date-string table:covered-table-cell`)
/** Maximum lists that may be continued. */
const MAX_LISTS = 10_000

/** Reads the text of `content.xml` (OpenDocument 1.3 part 3 §5) in pieces into a document. */
export class OdfText extends ElementReader {
  readonly #target: TextTarget
  readonly #objects: ReadonlyMap<string, readonly string[]>
  /** The styles read so far. */
  readonly styles: OdfStyles
  readonly #flow: TextFlow
  #line = 1
  /** Number of open paragraphs. */
  #paragraphs = 0
  /** The styles of the open lists; the last numbers of lists that may be continued, by id and by style. */
  readonly #lists: string[] = []
  readonly #numbers = new Map<string, number>()
  #slide = 0
  #author: string | null = null

  /** @param objects the lines of formulas and charts by object path @param styles those of `styles.xml` */
  constructor(
    target: TextTarget,
    objects: ReadonlyMap<string, readonly string[]> = new Map(),
    styles = new OdfStyles(),
  ) {
    super()
    this.styles = styles
    this.#target = target
    this.#objects = objects
    this.#flow = new TextFlow(target, () => this.#line)
  }

  /** Reads a whole part. */
  read(xml: string): void {
    this.write(xml)
    this.end()
  }

  override end(): void {
    super.end()
    this.#flow.endParagraph()
  }

  protected text(text: string): void {
    if (this.#author !== null) this.#author += text
    else if (this.#paragraphs > 0) this.#flow.add(text.replace(/\s+/g, ' '))
  }

  protected override open(name: string, attributes: Attributes, above: string): End {
    const style = this.#slide === 0 && this.#paragraphs === 0 ? this.styles.open(name, attributes) : undefined
    if (style) return style
    if (localName(name) === 'math') return this.formula(formula => this.#flow.add(formula))
    return super.open(name, attributes, above)
  }

  protected override isAside(name: string, attributes: Attributes): boolean {
    if (name === 'draw:object') this.#addObject((attributes['xlink:href'] ?? '').replace(/^\.\//, ''))
    if (ASIDE.has(name) || (name === 'text:section' && attributes['text:display'] === 'none')) return true
    if (/^text:hidden-/.test(name)) return attributes['text:is-hidden'] === 'true'
    const family = name === 'text:span' ? 'text' : 'paragraph'
    return /^text:(?:span|p|h)$/.test(name) && this.styles.isUnseen(family, attributes['text:style-name'])
  }

  #addObject(path: string): void {
    const lines = this.#objects.get(path) ?? []
    if (lines.length > 1) for (const line of lines) this.#flow.addNote(line)
    else this.#flow.add(lines[0] ?? '')
    if (this.#paragraphs === 0) this.#flow.endLine()
  }

  protected override readonly elements: Handlers = {
    'text:h': attributes => this.#paragraph(Number(attributes['text:outline-level']) || 1),
    'text:p': () => this.#paragraph(null),
    'text:span': attributes => this.#span(attributes),
    'text:a': attributes => this.#flow.beginLink(attributes['xlink:href'] ?? ''),
    'text:s': () => this.text(' '),
    'text:tab': () => this.text(' '),
    'text:line-break': () => this.text(' '),
    'text:note-citation': () => this.#flow.shift('raised', true),
    'text:note-body': () => this.#flow.beginAside(this.#flow.lastReference),
    'office:annotation': () => this.#flow.beginAside('Comment:'),
    'style:header': () => this.#flow.beginAside('Header:'),
    'style:footer': () => this.#flow.beginAside('Footer:'),
    'presentation:notes': () => this.#flow.beginAside('Notes:'),
    'dc:creator': () => this.#creator(),
    'text:list': attributes => this.#list(attributes),
    'text:list-item': attributes => this.#item(attributes),
    'table:table': () => this.#flow.beginTable(),
    'table:table-row': () => this.#flow.beginRow(),
    'table:table-cell': attributes => () => this.#flow.endCell(spanOf(attributes)),
    'draw:page': () => this.#page(),
    'draw:frame': attributes => this.#frame(attributes),
  }

  #creator(): End {
    this.#author = ''
    return () => {
      this.#flow.nameNote(`Comment by ${this.#author?.trim()}:`)
      this.#author = null
    }
  }

  #paragraph(level: number | null): End {
    const flow = this.#flow
    const isInside = this.#paragraphs++ > 0
    // In a frame or note of another paragraph.
    const endAside = isInside && !flow.isInNote ? flow.beginAside() : undefined
    if (level !== null) flow.beginHeading(level)
    else if (this.#isTitle) flow.beginHeading(2)
    return () => {
      this.#paragraphs--
      if (this.#slide === 0) this.#line++
      if (this.#slide > 0 && !this.#isTitle) flow.endLine()
      else flow.endParagraph()
      endAside?.()
    }
  }

  #span(attributes: Attributes): End {
    const shift = this.styles.shiftOf('text', attributes['text:style-name'])
    return shift === null ? undefined : this.#flow.shift(shift)
  }

  #list(attributes: Attributes): End {
    const flow = this.#flow
    const style = attributes['text:style-name'] ?? this.#lists.at(-1) ?? ''
    const isGoingOn = attributes['text:continue-numbering'] === 'true'
    const last = this.#numbers.get(attributes['text:continue-list'] ?? (isGoingOn ? `style ${style}` : ''))
    const start = this.styles.startOf(style, this.#lists.length + 1)
    this.#lists.push(style)
    flow.beginList(start === null || last === undefined ? start : last + 1)
    return () => {
      this.#lists.pop()
      const number = flow.endList()
      for (const key of [attributes['xml:id'], `style ${style}`])
        if (key !== undefined && number !== null && this.#numbers.size < MAX_LISTS)
          this.#numbers.set(key, number)
      if (this.#slide === 0) flow.endParagraph()
    }
  }

  #item(attributes: Attributes): End {
    const start = attributes['text:start-value']
    this.#flow.beginItem(start === undefined ? null : Number(start) || 0)
    return () => this.#flow.setBullet(0, '')
  }

  #isTitle = false

  #frame(attributes: Attributes): End {
    if (!/title$/.test(attributes['presentation:class'] ?? '')) return undefined
    this.#isTitle = attributes['presentation:class'] === 'title'
    return () => {
      this.#isTitle = false
    }
  }

  #page(): End {
    this.#target.addPlace(`Slide ${++this.#slide}`)
    this.#line = this.#slide
    return () => this.#flow.endParagraph()
  }
}

function spanOf(attributes: Attributes) {
  const [columns, rows, repeated] = ['columns-spanned', 'rows-spanned', 'columns-repeated'].map(
    name => Math.trunc(Number(attributes[`table:number-${name}`])) || 1,
  )
  return { columns: Math.max(columns ?? 1, repeated ?? 1), rows: rows ?? 1 }
}
