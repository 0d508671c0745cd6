import type { Document } from '../shared/document.js'
import { type Attributes, ElementReader, type End } from '../shared/element-reader.js'
import { flat } from '../shared/flat.js'
import { UnreadableFile } from '../shared/format.js'
import { linesTarget, TextFlow } from '../shared/text-flow.js'
import { localName } from '../shared/xml-elements.js'
import type { ZipParts } from '../shared/zip-parts.js'
import { drawingsOf } from './drawings.js'
import { officeDocument } from './office-properties.js'
import { addressesOf, type Relation, relationsOf } from './relations.js'

/** Reads the slides in order. */
export const readPptx = officeDocument(async function* (parts, document) {
  for (const [index, path] of (await slidesOf(parts)).entries()) {
    const number = index + 1
    const relations = await relationsOf(parts, path)
    const slide = await slideAt(parts, path, relations)
    if (slide.isHidden) continue
    document.addPlace(`Slide ${number}`)
    document.addHeading(number, 2, flat(slide.title))
    for (const line of slide.lines) document.addLine(number, line)
    for (const { type, target } of relations) {
      if (type === 'notesSlide') addAside(document, number, 'Notes', (await slideAt(parts, target)).lines)
      else if (type === 'comments') addAside(document, number, 'Comment', await commentsIn(parts, target))
    }
    document.addLine(number, '')
    yield
  }
})

async function slideAt(parts: ZipParts, path: string, relations: readonly Relation[] = []) {
  const slide = new Slide(addressesOf(relations), await drawingsOf(parts, relations))
  slide.write(await parts.string(path))
  slide.end()
  return slide
}

function addAside(document: Document, number: number, name: string, lines: readonly string[]): void {
  if (lines.length > 0) document.addLine(number, '')
  for (const [at, line] of lines.entries()) document.addLine(number, at === 0 ? `${name}: ${line}` : line)
}

/** The texts of comments in the old and new formats. */
async function commentsIn(parts: ZipParts, path: string): Promise<string[]> {
  return (await parts.elements(path)).flatMap(({ name, text }) =>
    (name === 'text' || name === 't') && text.trim() !== '' ? [flat(text)] : [],
  )
}

const PRESENTATION = 'ppt/presentation.xml'

/** The paths of the slides in order. */
async function slidesOf(parts: ZipParts): Promise<string[]> {
  if (!parts.has(PRESENTATION)) throw new UnreadableFile('This is not a PPTX presentation, or it is damaged.')
  const related = new Map((await relationsOf(parts, PRESENTATION)).map(({ id, target }) => [id, target]))
  const elements = await parts.elements(PRESENTATION)
  const listed = elements.flatMap(({ name, attributes }) => {
    const target = name === 'sldId' ? related.get(attributes['r:id'] ?? '') : undefined
    return target === undefined ? [] : [target]
  })
  return [...new Set(listed)]
}

/** Placeholders whose text does not belong to the slide (ECMA-376-1 §19.7.10). */
const ASIDE = new Set(['dt', 'ftr', 'sldNum', 'hdr', 'sldImg'])
const MAX_LINES = 20_000

/** The text of a slide or its notes (ECMA-376-1 §19.3, §21.1.2): paragraphs, lists, tables and drawings in order. */
class Slide extends ElementReader {
  title = ''
  isHidden = false
  readonly lines: string[] = []
  /** Everything that the slide refers to, by relationship id: addresses, and the lines of charts and diagrams. */
  readonly #links: ReadonlyMap<string, string>
  readonly #drawings: ReadonlyMap<string, readonly string[]>
  readonly #flow = new TextFlow(linesTarget(this.lines), () => 1)
  #kind = ''
  /** The list numbers by level, and the level of the paragraph. */
  #numbers: number[] = []
  #level = 0
  #isLink = false

  constructor(links: ReadonlyMap<string, string>, drawings: ReadonlyMap<string, readonly string[]>) {
    super(localName)
    this.#links = links
    this.#drawings = drawings
  }

  protected override isAside(name: string): boolean {
    return name === 'Fallback'
  }

  protected override open(name: string, attributes: Attributes): End {
    const flow = this.#flow
    if (name === 'oMath') return this.formula(text => this.#add(text))
    if (name === 'cNvPr' && /^(?:1|true)$/.test(attributes.hidden ?? '')) this.#kind = 'hidden'
    else if (name === 'sld') this.isHidden = attributes.show === '0'
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
    if (ASIDE.has(this.#kind) || this.#kind === 'hidden' || this.lines.length >= MAX_LINES) return
    if (/^(?:title|ctrTitle)$/.test(this.#kind)) this.title += text
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
    this.#flow.beginLink(this.#links.get(id) ?? '')
  }

  #number(start: number): void {
    this.#numbers.length = this.#level + 1
    this.#numbers[this.#level] = (this.#numbers[this.#level] ?? start - 1) + 1
    this.#flow.setBullet(this.#level, `${this.#numbers[this.#level]}.`)
    this.#level = -1
  }

  #endParagraph(): void {
    const flow = this.#flow
    if (this.title !== '') this.title += ' '
    if (this.#level > 0) flow.setBullet(this.#level, '-')
    if (this.#level >= 0 && !flow.isEmpty) this.#numbers.length = Math.min(this.#numbers.length, this.#level)
    flow.endLine()
    flow.setBullet(0, '')
  }

  #draw(id: string): void {
    const lines = this.#drawings.get(id) ?? []
    if (lines.length > 0) this.lines.push('', ...lines)
  }
}
