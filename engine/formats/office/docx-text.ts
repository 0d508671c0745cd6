import { isAttachment } from '../notes/note-text.js'
import { type Attributes, ElementReader, type End, type Handlers } from '../shared/element-reader.js'
import { UnreadableFile } from '../shared/format.js'
import { piecesOf } from '../shared/lines.js'
import { boxOf } from '../shared/markdown-text.js'
import { type Shift, shiftOf } from '../shared/raised-text.js'
import { TextFlow, type TextTarget } from '../shared/text-flow.js'
import { localName } from '../shared/xml-elements.js'
import { type DocxStyles, isOn, levelOf } from './docx-styles.js'
import { addressIn } from './field-code.js'

/** Everything that a part of a document refers to, by id. */
export interface DocxContext {
  styles: DocxStyles
  links: ReadonlyMap<string, string>
  /** The lines of charts and diagrams. */
  drawings: Map<string, readonly string[]>
  /** `footnote 2`, `endnote 2`, `comment 0` */
  notes: ReadonlyMap<string, string>
  /** Called for each note in this part after its lines were written. */
  onNote?: (key: string, author: string) => void
}

/** Elements whose text is not part of the document: ruby text, deleted text, alternative content, previous properties. */
const ASIDE =
  /^(?:rt|Fallback|del|moveFrom|(?:r|p|sect|tbl|tblGrid|tc|tr|num)Pr(?:Change|Ex)|(?:ins|del|move(?:From|To))Math)$/
const MAX_DEPTH = 2_000
const MAX_FIELDS = 50
/** Characters of symbol fonts: the last two digits of their codes, and their Unicode equivalents. */
const SYMBOLS: Readonly<Record<string, string>> = {
  wingdings: 'fe☑ fd☒ a8☐ 6f☐ fc✓ fb✗ e0→',
  'wingdings 2': '52☑ 54☒ a3☐ 50✓',
  symbol: '61α 62β 64δ 67γ 6cλ 6dμ 70π 73σ 44Δ 57Ω a3≤ a5∞ ae→ b0° b1± b3≥ b4× b7• b9≠ bb≈',
}

interface Paragraph {
  style: string
  level: number | null
  list?: string
  listLevel?: number
  isBegun: boolean
  /** Whether it continues in the next paragraph. */
  isJoined: boolean
}

interface Field {
  code: string
  isResult: boolean
  isChecked: boolean | null
}

/** Reads a part of a DOCX (ECMA-376-1 §17) into a document. */
export class DocxText extends ElementReader {
  readonly #context: DocxContext
  readonly #flow: TextFlow
  readonly #paragraphs: Paragraph[] = []
  #run: { isHidden: boolean; isShifted: boolean } | null = null
  readonly #fields: Field[] = []
  #line = 1
  #notes = 0
  /** Whether the checkbox of a content control is checked. */
  #box: boolean | null = null
  #isDeleted = false
  #span = { columns: 1, isContinued: false }

  constructor(target: TextTarget, context: DocxContext) {
    super(localName)
    this.#context = context
    this.#flow = new TextFlow(target, () => this.#line)
  }

  /** Reads the XML in steps, so that the caller can yield to other work. */
  *read(xml: string): Generator<void> {
    for (const piece of piecesOf(xml)) {
      this.write(piece)
      yield
    }
    this.end()
    this.#flow.endParagraph()
  }

  protected override nested(depth: number): void {
    if (depth > MAX_DEPTH) throw new UnreadableFile('The elements of this DOCX are too deep.')
  }

  protected override isAside(name: string, _: Attributes, above: string): boolean {
    if (name === 'del') this.#delete(above)
    return ASIDE.test(name)
  }

  protected override readonly elements: Handlers = {
    p: () => this.#paragraph(),
    pPr: () => () => this.#beginParagraph(),
    pStyle: attributes => this.#set({ style: valueIn(attributes) }),
    outlineLvl: attributes => this.#set({ level: levelOf(valueIn(attributes)) }),
    numId: attributes => this.#set({ list: valueIn(attributes) }),
    ilvl: attributes => this.#set({ listLevel: Number(valueIn(attributes)) || 0 }),
    r: () => this.#openRun(),
    vanish: attributes => void Object.assign(this.#run ?? {}, { isHidden: isOn(attributes) }),
    rStyle: attributes => this.#styleRun(valueIn(attributes)),
    vertAlign: attributes => this.#shift(shiftOf(valueIn(attributes))),
    position: attributes => this.#shift(shiftOf(valueIn(attributes))),
    tab: () => this.#add(' '),
    ptab: () => this.#add(' '),
    br: () => this.#break(),
    cr: () => this.#break(),
    noBreakHyphen: () => this.#add('‑'),
    sym: attributes => this.#add(symbolOf(attributes)),
    oMath: () =>
      this.formula(formula => {
        this.#beginParagraph()
        this.#add(formula)
      }),
    hyperlink: attributes => this.#link(this.#context.links.get(attributes['r:id'] ?? '') ?? ''),
    fldSimple: attributes => this.#link(addressIn(attributes['w:instr'] ?? '')),
    fldChar: attributes => this.#setField(attributes['w:fldCharType'] ?? ''),
    default: (attributes, above) => this.#setBox(above, attributes),
    checked: (attributes, above) => this.#setBox(above, attributes),
    sdt: () => this.#control(),
    sdtContent: () => (this.#box === null ? undefined : this.#checkbox(this.#box)),
    footnoteReference: attributes => this.#refer('footnote', attributes),
    endnoteReference: attributes => this.#refer('endnote', attributes),
    commentReference: attributes =>
      this.#flow.addNote(this.#context.notes.get(`comment ${attributes['w:id']}`) ?? ''),
    docPr: attributes => this.#addPicture(attributes.descr ?? ''),
    chart: attributes => this.#insert(attributes['r:id'] ?? ''),
    relIds: attributes => this.#insert(attributes['r:dm'] ?? ''),
    tbl: () => this.#flow.beginTable(),
    tr: () => this.#row(),
    gridBefore: attributes => this.#flow.endCell({ columns: Number(valueIn(attributes)) || 1 }),
    tc: () => this.#cell(),
    gridSpan: attributes => void Object.assign(this.#span, { columns: Number(valueIn(attributes)) || 1 }),
    vMerge: attributes => void Object.assign(this.#span, { isContinued: attributes['w:val'] !== 'restart' }),
    footnote: attributes => this.#note('footnote', attributes),
    endnote: attributes => this.#note('endnote', attributes),
    comment: attributes => this.#note('comment', attributes),
  }

  protected text(text: string, within: string): void {
    if (within === 't') this.#add(text)
    else if (within === 'instrText') {
      const field = this.#fields.at(-1)
      if (field && field.code.length < MAX_DEPTH) field.code += text
    }
  }

  #add(text: string): void {
    if (!this.#run?.isHidden && !this.#fields.some(({ isResult }) => !isResult)) this.#flow.add(text)
  }

  #break(): void {
    if (this.#flow.isInHeading) this.#add(' ')
    else this.#flow.endLine()
  }

  /** Marks the end of a paragraph, or a row, as deleted. */
  #delete(above: string): void {
    const paragraph = this.#paragraphs.at(-1)
    if (above === 'trPr') this.#isDeleted = true
    else if (above === 'rPr' && paragraph && !this.#run) paragraph.isJoined = true
  }

  #row(): End {
    this.#isDeleted = false
    const end = this.#flow.beginRow()
    return () => (this.#isDeleted ? this.#flow.dropRow() : end())
  }

  /** A cell of its own table; nested tables have their own spans. */
  #cell(): End {
    const span = { columns: 1, isContinued: false }
    this.#span = span
    return () => this.#flow.endCell(span)
  }

  #paragraph(): End {
    const isInside = this.#paragraphs.length > 0
    const endAside = isInside ? this.#flow.beginAside() : undefined
    const run = this.#run
    this.#run = null
    this.#paragraphs.push({ style: '', level: null, isBegun: false, isJoined: false })
    return () => {
      this.#beginParagraph()
      const isJoined = this.#paragraphs.pop()?.isJoined ?? false
      this.#line++
      if (!isJoined) this.#flow.endParagraph()
      endAside?.()
      this.#run = run
    }
  }

  /** Sets properties of the paragraph. */
  #set(properties: Partial<Paragraph>): void {
    Object.assign(this.#paragraphs.at(-1) ?? {}, properties)
  }

  /** Applies the properties of the paragraph, once. */
  #beginParagraph(): void {
    const paragraph = this.#paragraphs.at(-1)
    if (!paragraph || paragraph.isBegun) return
    paragraph.isBegun = true
    const { styles } = this.#context
    const heading = paragraph.level ?? styles.headingOf(paragraph.style)
    const own = styles.listOf(paragraph.style)
    const { list = own?.id ?? '', listLevel = own?.level ?? 0 } = paragraph
    const mark = heading === 0 && list !== '' && list !== '0' ? styles.markOf(list, listLevel) : ''
    if (heading > 0) this.#flow.beginHeading(heading)
    else this.#flow.setBullet(listLevel, mark)
  }

  #openRun(): End {
    this.#beginParagraph()
    const around = this.#run
    const style = this.#paragraphs.at(-1)?.style ?? ''
    this.#run = { isHidden: this.#context.styles.isHidden(style), isShifted: false }
    return () => {
      if (this.#run?.isShifted) this.#flow.endShift()
      this.#run = around
    }
  }

  #styleRun(style: string): void {
    if (this.#run) this.#run.isHidden ||= this.#context.styles.isHidden(style)
    this.#shift(this.#context.styles.shiftOf(style))
  }

  #shift(shift: Shift | null): void {
    if (shift === null || !this.#run || this.#run.isShifted) return
    this.#run.isShifted = true
    this.#flow.shift(shift)
  }

  #link(address: string): End {
    this.#beginParagraph()
    return this.#flow.beginLink(address)
  }

  #setField(type: string): void {
    const field = this.#fields.at(-1)
    if (type === 'begin') {
      if (this.#fields.length < MAX_FIELDS) this.#fields.push({ code: '', isResult: false, isChecked: null })
    } else if (field && type === 'separate') {
      field.isResult = true
      this.#flow.beginLink(addressIn(field.code))
    } else if (field && type === 'end') {
      this.#fields.pop()
      if (field.isResult) this.#flow.endLink()
      if (field.isChecked !== null) this.#add(boxOf(field.isChecked))
    }
  }

  #setBox(above: string, attributes: Attributes): void {
    const field = this.#fields.at(-1)
    if (above === 'checkBox' && field) field.isChecked = isOn(attributes)
    else if (above === 'checkbox')
      this.#box = isOn({ 'w:val': attributes['w14:val'] ?? attributes['w:val'] ?? '1' })
  }

  #control(): End {
    const around = this.#box
    this.#box = null
    return () => {
      this.#box = around
    }
  }

  #checkbox(isTicked: boolean): End {
    this.#beginParagraph()
    this.#add(boxOf(isTicked))
    return this.hide()
  }

  #refer(kind: string, attributes: Attributes): void {
    const note = this.#context.notes.get(`${kind} ${attributes['w:id']}`)
    if (note === undefined || this.#run?.isHidden) return
    const mark = `[${++this.#notes}]`
    this.#flow.add(mark)
    this.#flow.addNote(`${mark} ${note}`)
  }

  #note(kind: string, attributes: Attributes): End {
    return () => this.#context.onNote?.(`${kind} ${attributes['w:id']}`, attributes['w:author'] ?? '')
  }

  #addPicture(description: string): void {
    if (description !== '' && !isAttachment(description)) this.#add(` ${description} `)
  }

  /** Inserts each one once: a document may refer to it any number of times. */
  #insert(id: string): void {
    for (const line of this.#context.drawings.get(id) ?? []) this.#flow.addNote(line)
    this.#context.drawings.delete(id)
  }
}

const valueIn = ({ 'w:val': value = '' }: Attributes) => value

function symbolOf({ 'w:font': font = '', 'w:char': code = '' }: Attributes): string {
  const symbols = SYMBOLS[font.toLowerCase()] ?? ''
  const at = symbols.indexOf(code.slice(-2).toLowerCase())
  const number = Number.parseInt(code, 16)
  if (at >= 0 && code.length > 1) return symbols[at + 2] ?? ''
  return number > 0x20 && number < 0xe000 ? String.fromCharCode(number) : ''
}
