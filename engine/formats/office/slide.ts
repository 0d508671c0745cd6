import { linesTarget, TextFlow } from '../shared/text-flow.js'
import { localName, readXml } from '../shared/xml-elements.js'
import { FormulaText } from './formula-text.js'

export interface Slide {
  title: string
  lines: string[]
  isHidden: boolean
}

/** What a slide refers to, by the ids of its relations: addresses, and the lines of charts and diagrams. */
export interface SlideContext {
  links: ReadonlyMap<string, string>
  drawings: ReadonlyMap<string, readonly string[]>
}

/** Placeholders whose text is not the slide's own (ECMA-376-1 §19.7.10). */
const ASIDE = new Set(['dt', 'ftr', 'sldNum', 'hdr', 'sldImg'])
const MAX_LINES = 20_000

type Attributes = Record<string, string>

/** The text of a slide or of its notes (ECMA-376-1 §19.3, §21.1.2): paragraphs, lists, tables and drawings in their order. */
export function readSlide(xml: string, context: SlideContext): Slide {
  const reader = new SlideReader(context)
  readXml(xml, {
    onopentag: (name, attributes) => reader.open(localName(name), attributes),
    ontext: text => reader.add(text),
    onclosetag: name => reader.close(localName(name)),
  })
  return reader.slide
}

class SlideReader {
  readonly slide: Slide = { title: '', lines: [], isHidden: false }
  readonly #context: SlideContext
  readonly #flow = new TextFlow(linesTarget(this.slide.lines), () => 1)
  #kind = ''
  /** Levels of elements that are not read. */
  #hidden = 0
  #isText = false
  #title = ''
  #formula: FormulaText | null = null
  /** The numbers of lists by their levels, and the level of the paragraph. */
  #numbers: number[] = []
  #level = 0
  #isLink = false
  #cell: { columns: number; rows: number } | null = null

  constructor(context: SlideContext) {
    this.#context = context
  }

  open(name: string, attributes: Attributes): void {
    if (this.#hidden > 0 || name === 'Fallback') this.#hidden++
    else if (name === 'cNvPr' && /^(?:1|true)$/.test(attributes.hidden ?? '')) this.#kind = 'hidden'
    else if (this.#formula) this.#formula.open(name, attributes)
    else if (name === 'oMath') this.#formula = new FormulaText()
    else this.#open(name, attributes)
  }

  #open(name: string, attributes: Attributes): void {
    const flow = this.#flow
    if (name === 'sld') this.slide.isHidden = attributes.show === '0'
    else if (name === 'sp' || name === 'graphicFrame') this.#kind = ''
    else if (name === 'ph' && this.#kind !== 'hidden') this.#kind = attributes.type ?? 'body'
    else if (name === 'p') this.#level = 0
    else if (name === 'pPr') this.#level = Math.min(9, Number(attributes.lvl ?? 0) || 0)
    else if (name === 'buAutoNum') this.#number(Number(attributes.startAt ?? 1) || 1)
    else if (name === 'rPr') this.#openRun(Number(attributes.baseline ?? 0))
    else if (name === 'hlinkClick') this.#link(attributes['r:id'] ?? '')
    else if (name === 'br') this.#add(' ')
    else if (name === 't') this.#isText = true
    else if (name === 'tbl') flow.beginTable()
    else if (name === 'tr') flow.beginRow()
    else if (name === 'tc') this.#cell = cellOf(attributes)
    else if (name === 'relIds' || name === 'chart') this.#draw(attributes['r:dm'] ?? attributes['r:id'] ?? '')
  }

  add(text: string): void {
    if (this.#hidden > 0) return
    if (this.#formula) this.#formula.add(text)
    else if (this.#isText) this.#add(text)
  }

  close(name: string): void {
    const flow = this.#flow
    if (this.#hidden > 0) this.#hidden--
    else if (this.#formula && name !== 'oMath') this.#formula.close(name)
    else if (this.#formula) {
      this.#add(this.#formula.text())
      this.#formula = null
    } else if (name === 't') this.#isText = false
    else if (name === 'r') this.#closeRun()
    else if (name === 'p') this.#endParagraph()
    else if (name === 'tc') {
      if (this.#cell) flow.endCell(this.#cell)
    } else if (name === 'tr') flow.endRow(false)
    else if (name === 'tbl') flow.endTable()
  }

  #add(text: string): void {
    if (ASIDE.has(this.#kind) || this.#kind === 'hidden' || this.slide.lines.length >= MAX_LINES) return
    if (/^(?:title|ctrTitle)$/.test(this.#kind)) this.#title += text
    else this.#flow.add(text)
  }

  #openRun(baseline: number): void {
    if (baseline !== 0) this.#flow.shift(baseline > 0 ? 'raised' : 'lowered')
  }

  #closeRun(): void {
    this.#flow.endShift()
    if (this.#isLink) this.#flow.endLink()
    this.#isLink = false
  }

  #link(id: string): void {
    this.#isLink = true
    this.#flow.beginLink(this.#context.links.get(id) ?? '')
  }

  #number(start: number): void {
    this.#numbers.length = this.#level + 1
    this.#numbers[this.#level] = (this.#numbers[this.#level] ?? start - 1) + 1
    this.#flow.setBullet(this.#level, `${this.#numbers[this.#level]}.`)
    this.#level = -1
  }

  #endParagraph(): void {
    const flow = this.#flow
    this.slide.title = `${this.slide.title} ${this.#title}`.replace(/\s+/g, ' ').trim()
    this.#title = ''
    if (this.#level > 0) flow.setBullet(this.#level, '-')
    if (this.#level >= 0 && !flow.isEmpty) this.#numbers.length = Math.min(this.#numbers.length, this.#level)
    flow.endLine()
    flow.setBullet(0, '')
  }

  #draw(id: string): void {
    const lines = this.#context.drawings.get(id) ?? []
    if (lines.length > 0) this.slide.lines.push('', ...lines)
  }
}

/** A cell that another one covers is none. */
function cellOf({ gridSpan, rowSpan, hMerge, vMerge }: Attributes) {
  return hMerge || vMerge ? null : { columns: Number(gridSpan) || 1, rows: Number(rowSpan) || 1 }
}
