import { Parser } from 'htmlparser2'
import { words } from '../../../platform/common/words.js'
import type { Document } from '../shared/document.js'
import { piecesOf } from '../shared/lines.js'
import { TextFlow } from '../shared/text-flow.js'
import { readXml } from '../shared/xml-elements.js'
import { OdfStyles } from './odf-styles.js'

/** Elements with what is not text of the document: deleted text, readings, other forms of the same. */
const ASIDE = words(`text:tracked-changes text:ruby-text svg:title svg:desc draw:object
  text:index-title-template office:forms dc:date meta:date-string table:covered-table-cell`)
/** Lists that may go on. */
const MAX_LISTS = 10_000

type Attributes = Record<string, string>
/** What is done when an element ends. */
type End = (() => void) | undefined

/** Reads the text of `content.xml` (OpenDocument 1.3 part 3 §5) in pieces into a document. */
export class OdfText {
  readonly #document: Document
  readonly #formulas: ReadonlyMap<string, string>
  readonly #styles = new OdfStyles()
  readonly #flow: TextFlow
  readonly #ends: End[] = []
  #line = 1
  /** Elements around that are not shown, and paragraphs. */
  #hidden = 0
  #paragraphs = 0
  /** The styles of the lists around; the last numbers of those that may go on, by id and by style. */
  readonly #lists: string[] = []
  readonly #numbers = new Map<string, number>()
  #slide = 0
  #author: string | null = null
  readonly #parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (this.#slide === 0 && this.#paragraphs === 0) this.#styles.open(name, attributes)
        this.#ends.push(
          this.#hidden > 0 || this.#isHidden(name, attributes) ? this.#hide() : this.#open(name, attributes),
        )
      },
      ontext: text => this.#add(text),
      onclosetag: name => {
        this.#styles.close(name)
        this.#ends.pop()?.()
      },
    },
    { xmlMode: true },
  )

  /** @param formulas what formulas and charts say, by the paths of their objects */
  constructor(document: Document, formulas: ReadonlyMap<string, string> = new Map()) {
    this.#document = document
    this.#formulas = formulas
    this.#flow = new TextFlow(document, () => this.#line)
  }

  /** Reads `styles.xml`. */
  readStyles(xml: string): void {
    readXml(xml, {
      onopentag: (name, attributes) => this.#styles.open(name, attributes),
      onclosetag: name => this.#styles.close(name),
    })
  }

  write(text: string): void {
    for (const piece of piecesOf(text)) this.#parser.write(piece)
  }

  end(): void {
    this.#parser.end()
    this.#flow.endParagraph()
  }

  #add(text: string): void {
    if (this.#author !== null) this.#author += text
    else if (this.#paragraphs > 0 && this.#hidden === 0) this.#flow.add(text.replace(/\s+/g, ' '))
  }

  #hide(): End {
    this.#hidden++
    return () => void this.#hidden--
  }

  #isHidden(name: string, attributes: Attributes): boolean {
    if (name === 'draw:object') this.#addObject((attributes['xlink:href'] ?? '').replace(/^\.\//, ''))
    if (ASIDE.has(name) || (name === 'text:section' && attributes['text:display'] === 'none')) return true
    if (/^text:hidden-/.test(name)) return attributes['text:is-hidden'] === 'true'
    const family = name === 'text:span' ? 'text' : 'paragraph'
    return /^text:(?:span|p|h)$/.test(name) && this.#styles.isHidden(family, attributes['text:style-name'])
  }

  #addObject(path: string): void {
    this.#flow.add(this.#formulas.get(path) ?? '')
    if (this.#paragraphs === 0) this.#flow.endLine()
  }

  #open(name: string, attributes: Attributes): End {
    const flow = this.#flow
    switch (name) {
      case 'text:h':
        return this.#paragraph(Number(attributes['text:outline-level']) || 1)
      case 'text:p':
        return this.#paragraph(null)
      case 'text:span':
        return this.#span(attributes)
      case 'text:a':
        flow.beginLink(attributes['xlink:href'] ?? '')
        return () => flow.endLink()
      case 'text:s':
      case 'text:tab':
      case 'text:line-break':
        if (this.#paragraphs > 0) flow.add(' ')
        return undefined
      case 'text:note-citation':
        flow.shift('raised')
        return () => flow.endShift(true)
      case 'text:note-body':
        flow.beginAside(flow.lastReference)
        return () => flow.endAside()
      case 'office:annotation':
        flow.beginAside('Comment:')
        return () => flow.endAside()
      case 'dc:creator':
        this.#author = ''
        return () => {
          flow.nameNote(`Comment by ${this.#author?.trim()}:`)
          this.#author = null
        }
      case 'text:list':
        return this.#list(attributes)
      case 'text:list-item':
        return this.#item(attributes)
      case 'table:table':
        flow.beginTable()
        return () => flow.endTable()
      case 'table:table-row':
        flow.beginRow()
        return () => flow.endRow(false)
      case 'table:table-cell':
        return () => flow.endCell(spanOf(attributes))
      case 'draw:page':
        return this.#page()
      case 'draw:frame':
        return this.#frame(attributes)
      case 'presentation:notes':
        flow.beginAside('Notes:')
        return () => flow.endAside()
      default:
        return undefined
    }
  }

  #paragraph(level: number | null): End {
    const flow = this.#flow
    const isInside = this.#paragraphs++ > 0
    // In a frame or note of another paragraph.
    if (isInside && !flow.isInNote) flow.beginAside()
    const isAside = isInside && !flow.isInNote
    if (level !== null) flow.beginHeading(level)
    else if (this.#isTitle) flow.beginHeading(2)
    return () => {
      this.#paragraphs--
      if (this.#slide === 0) this.#line++
      if (this.#slide > 0 && !this.#isTitle) flow.endLine()
      else flow.endParagraph()
      if (isAside) flow.endAside()
    }
  }

  #span(attributes: Attributes): End {
    const shift = this.#styles.shiftOf('text', attributes['text:style-name'])
    if (shift === null) return undefined
    this.#flow.shift(shift)
    return () => this.#flow.endShift()
  }

  #list(attributes: Attributes): End {
    const flow = this.#flow
    const style = attributes['text:style-name'] ?? this.#lists.at(-1) ?? ''
    const isGoingOn = attributes['text:continue-numbering'] === 'true'
    const last = this.#numbers.get(attributes['text:continue-list'] ?? (isGoingOn ? `style ${style}` : ''))
    const start = this.#styles.startOf(style, this.#lists.length + 1)
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
    this.#document.addPlace(`Slide ${++this.#slide}`)
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
