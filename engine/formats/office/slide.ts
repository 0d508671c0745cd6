import { type Attributes, ElementReader, type End } from '../shared/element-reader.js'
import { linesTarget, TextFlow } from '../shared/text-flow.js'
import { localName } from '../shared/xml-elements.js'

interface Slide {
  title: string
  lines: string[]
  isHidden: boolean
}

/** Everything that a slide refers to, by relationship id: addresses, and the lines of charts and diagrams. */
interface SlideContext {
  links: ReadonlyMap<string, string>
  drawings: ReadonlyMap<string, readonly string[]>
}

/** Placeholders whose text does not belong to the slide (ECMA-376-1 §19.7.10). */
const ASIDE = new Set(['dt', 'ftr', 'sldNum', 'hdr', 'sldImg'])
const MAX_LINES = 20_000

/** The text of a slide or its notes (ECMA-376-1 §19.3, §21.1.2): paragraphs, lists, tables and drawings in order. */
export function readSlide(xml: string, context: SlideContext): Slide {
  const reader = new SlideReader(context)
  reader.write(xml)
  reader.end()
  return reader.slide
}

class SlideReader extends ElementReader {
  readonly slide: Slide = { title: '', lines: [], isHidden: false }
  readonly #context: SlideContext
  readonly #flow = new TextFlow(linesTarget(this.slide.lines), () => 1)
  #kind = ''
  #title = ''
  /** The list numbers by level, and the level of the paragraph. */
  #numbers: number[] = []
  #level = 0
  #isLink = false

  constructor(context: SlideContext) {
    super(localName)
    this.#context = context
  }

  protected override isAside(name: string): boolean {
    return name === 'Fallback'
  }

  protected override open(name: string, attributes: Attributes): End {
    const flow = this.#flow
    if (name === 'oMath') return this.formula(text => this.#add(text))
    if (name === 'cNvPr' && /^(?:1|true)$/.test(attributes.hidden ?? '')) this.#kind = 'hidden'
    else if (name === 'sld') this.slide.isHidden = attributes.show === '0'
    else if (name === 'sp' || name === 'graphicFrame') this.#kind = ''
    else if (name === 'ph' && this.#kind !== 'hidden') this.#kind = attributes.type ?? 'body'
    else if (name === 'pPr') this.#level = Math.min(9, Number(attributes.lvl ?? 0) || 0)
    else if (name === 'buAutoNum') this.#number(Number(attributes.startAt ?? 1) || 1)
    else if (name === 'rPr') this.#openRun(Number(attributes.baseline ?? 0))
    else if (name === 'hlinkClick') this.#link(attributes['r:id'] ?? '')
    else if (name === 'br') this.#add(' ')
    else if (name === 'relIds' || name === 'chart') this.#draw(attributes['r:dm'] ?? attributes['r:id'] ?? '')
    else if (name === 'r') return () => this.#closeRun()
    else if (name === 'p') {
      this.#level = 0
      return () => this.#endParagraph()
    } else if (name === 'tbl') return flow.beginTable()
    else if (name === 'tr') return flow.beginRow()
    else if (name === 'tc' && !attributes.hMerge && !attributes.vMerge) {
      const span = { columns: Number(attributes.gridSpan) || 1, rows: Number(attributes.rowSpan) || 1 }
      return () => flow.endCell(span)
    }
    return undefined
  }

  protected text(text: string, within: string): void {
    if (within === 't') this.#add(text)
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
