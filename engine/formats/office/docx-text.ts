import { Parser } from 'htmlparser2'
import { isAttachment } from '../notes/note-text.js'
import { UnreadableFile } from '../shared/format.js'
import { piecesOf } from '../shared/lines.js'
import { boxOf } from '../shared/markdown-text.js'
import { TextFlow, type TextTarget } from '../shared/text-flow.js'
import { localName } from '../shared/xml-elements.js'
import { type DocxStyles, isOn, levelOf, shiftOf } from './docx-styles.js'
import { addressIn } from './field-code.js'
import { FormulaText } from './formula-text.js'

/** What a part of a document refers to, by ids. */
export interface DocxContext {
  styles: DocxStyles
  links: ReadonlyMap<string, string>
  /** The lines of charts, diagrams and documents inside this one. */
  inserted: Map<string, readonly string[]>
  /** `footnote 2`, `endnote 2`, `comment 0` */
  notes: ReadonlyMap<string, string>
  /** Is told of each note in this part when its lines have been written. */
  onNote?: (key: string, author: string) => void
}

/** Elements with what is not text of the document: readings, deleted text, other forms of the same, what was there before. */
const ASIDE =
  /^(?:rt|Fallback|del|moveFrom|(?:r|p|sect|tbl|tblGrid|tc|tr|num)Pr(?:Change|Ex)|(?:ins|del|move(?:From|To))Math)$/
const MAX_DEPTH = 2_000
const MAX_FIELDS = 50
/** Symbols of fonts that have them at places of their own: the last two digits of their codes, and what they are. */
const SYMBOLS: Readonly<Record<string, string>> = {
  wingdings: 'fe☑ fd☒ a8☐ 6f☐ fc✓ fb✗ e0→',
  'wingdings 2': '52☑ 54☒ a3☐ 50✓',
  symbol: '61α 62β 64δ 67γ 6cλ 6dμ 70π 73σ 44Δ 57Ω a3≤ a5∞ ae→ b0° b1± b3≥ b4× b7• b9≠ bb≈',
}

type Attributes = Record<string, string>
/** What is done when an element ends. */
type End = (() => void) | undefined

interface Paragraph {
  style: string
  level: number | null
  list: { id?: string; level?: number }
  isBegun: boolean
  /** Whether it goes on in the next one. */
  isJoined: boolean
}

interface Field {
  code: string
  isResult: boolean
  isChecked: boolean | null
}

/** Reads a part of a DOCX (ECMA-376-1 §17) into a document. */
export class DocxText {
  readonly #context: DocxContext
  readonly #flow: TextFlow
  readonly #names: string[] = []
  readonly #ends: End[] = []
  #hidden = 0
  readonly #paragraphs: Paragraph[] = []
  #run: { isHidden: boolean; isShifted: boolean } | null = null
  readonly #fields: Field[] = []
  #formula: FormulaText | null = null
  #line = 1
  #notes = 0
  /** Whether the box of a content control is ticked. */
  #box: boolean | null = null
  #isDeleted = false
  #span = { columns: 1, isContinued: false }

  constructor(target: TextTarget, context: DocxContext) {
    this.#context = context
    this.#flow = new TextFlow(target, () => this.#line)
  }

  /** Reads the XML in steps, between which a caller can yield to other work. */
  *read(xml: string): Generator<void> {
    const parser = new Parser(
      {
        onopentag: (name, attributes) => this.#begin(localName(name), attributes),
        ontext: text => this.#text(text),
        onclosetag: () => {
          this.#names.pop()
          this.#ends.pop()?.()
        },
      },
      { xmlMode: true },
    )
    for (const piece of piecesOf(xml)) {
      parser.write(piece)
      yield
    }
    parser.end()
    this.#flow.endParagraph()
  }

  #begin(name: string, attributes: Attributes): void {
    const above = this.#names.at(-1) ?? ''
    if (this.#names.push(name) > MAX_DEPTH)
      throw new UnreadableFile('The elements of this DOCX are too deep.')
    if (name === 'del') this.#delete(above)
    if (this.#hidden > 0 || ASIDE.test(name)) this.#ends.push(this.#hide())
    else if (this.#formula) {
      this.#formula.open(name, attributes)
      this.#ends.push(() => this.#formula?.close(name))
    } else this.#ends.push(name === 'oMath' ? this.#math() : this.#open(name, attributes, above))
  }

  #text(text: string): void {
    if (this.#hidden > 0) return
    const name = this.#names.at(-1)
    if (this.#formula) {
      if (text.trim() !== '' || name === 't') this.#formula.add(text)
    } else if (name === 't') this.#add(text)
    else if (name === 'instrText') {
      const field = this.#fields.at(-1)
      if (field && field.code.length < MAX_DEPTH) field.code += text
    }
  }

  #add(text: string): void {
    if (!this.#run?.isHidden && !this.#fields.some(({ isResult }) => !isResult)) this.#flow.add(text)
  }

  #hide(): End {
    this.#hidden++
    return () => void this.#hidden--
  }

  /** The end of a paragraph, or a row, is deleted. */
  #delete(above: string): void {
    const paragraph = this.#paragraphs.at(-1)
    if (above === 'trPr') this.#isDeleted = true
    else if (above === 'rPr' && paragraph && !this.#run) paragraph.isJoined = true
  }

  #math(): End {
    const formula = new FormulaText()
    this.#formula = formula
    return () => {
      this.#formula = null
      this.#beginParagraph()
      this.#add(formula.text())
    }
  }

  #open(name: string, attributes: Attributes, above: string): End {
    const value = attributes['w:val'] ?? ''
    const id = attributes['r:id'] ?? ''
    if (above === 'pPr') return this.#setParagraph(name, value)
    if (above === 'numPr') return this.#setList(name, value)
    if (above === 'rPr') return this.#setRun(name, attributes)
    switch (name) {
      case 'p':
        return this.#paragraph()
      case 'pPr':
        return () => this.#beginParagraph()
      case 'r':
        return this.#openRun()
      case 'tab':
      case 'ptab':
        return void this.#add(' ')
      case 'br':
      case 'cr':
        return void (this.#flow.isInHeading ? this.#add(' ') : this.#flow.endLine())
      case 'noBreakHyphen':
        return void this.#add('‑')
      case 'sym':
        return void this.#add(symbolOf(attributes))
      case 'hyperlink':
        return this.#link(this.#context.links.get(id) ?? '')
      case 'fldSimple':
        return this.#link(addressIn(attributes['w:instr'] ?? ''))
      case 'fldChar':
        return void this.#setField(attributes['w:fldCharType'] ?? '')
      case 'default':
      case 'checked':
        return void this.#setBox(above, isOn(attributes), attributes)
      case 'sdt':
        return this.#control()
      case 'sdtContent':
        return this.#box === null ? undefined : this.#checkbox()
      case 'footnoteReference':
      case 'endnoteReference':
        return void this.#refer(name.replace('Reference', ''), attributes['w:id'] ?? '')
      case 'commentReference':
        return void this.#flow.addNote(this.#context.notes.get(`comment ${attributes['w:id']}`) ?? '')
      case 'docPr':
        return void this.#addPicture(attributes.descr ?? '')
      case 'chart':
      case 'altChunk':
        return void this.#insert(id)
      case 'relIds':
        return void this.#insert(attributes['r:dm'] ?? '')
      default:
        return this.#openTable(name, attributes)
    }
  }

  #openTable(name: string, attributes: Attributes): End {
    const flow = this.#flow
    const value = attributes['w:val'] ?? ''
    switch (name) {
      case 'tbl':
        flow.beginTable()
        return () => flow.endTable()
      case 'tr':
        this.#isDeleted = false
        flow.beginRow()
        return () => (this.#isDeleted ? flow.dropRow() : flow.endRow(false))
      case 'gridBefore':
        return void flow.endCell({ columns: Number(value) || 1 })
      case 'tc':
        this.#span = { columns: 1, isContinued: false }
        return this.#cell()
      case 'gridSpan':
        this.#span.columns = Number(value) || 1
        return undefined
      case 'vMerge':
        this.#span.isContinued = value !== 'restart'
        return undefined
      case 'footnote':
      case 'endnote':
      case 'comment':
        return this.#note(name, attributes)
      default:
        return undefined
    }
  }

  /** A cell of its own table: tables inside of it have spans of theirs. */
  #cell(): End {
    const span = this.#span
    return () => this.#flow.endCell(span)
  }

  #paragraph(): End {
    const isInside = this.#paragraphs.length > 0
    if (isInside) this.#flow.beginAside()
    const run = this.#run
    this.#run = null
    this.#paragraphs.push({ style: '', level: null, list: {}, isBegun: false, isJoined: false })
    return () => {
      this.#beginParagraph()
      const isJoined = this.#paragraphs.pop()?.isJoined ?? false
      this.#line++
      if (!isJoined) this.#flow.endParagraph()
      if (isInside) this.#flow.endAside()
      this.#run = run
    }
  }

  #setParagraph(name: string, value: string): End {
    const paragraph = this.#paragraphs.at(-1)
    if (paragraph && name === 'pStyle') paragraph.style = value
    else if (paragraph && name === 'outlineLvl') paragraph.level = levelOf(value)
    return undefined
  }

  #setList(name: string, value: string): End {
    const list = this.#paragraphs.at(-1)?.list ?? {}
    if (name === 'numId') list.id = value
    else if (name === 'ilvl') list.level = Number(value) || 0
    return undefined
  }

  /** What its properties say becomes of the paragraph, once. */
  #beginParagraph(): void {
    const paragraph = this.#paragraphs.at(-1)
    if (!paragraph || paragraph.isBegun) return
    paragraph.isBegun = true
    const { styles } = this.#context
    const heading = paragraph.level ?? styles.headingOf(paragraph.style)
    const own = styles.listOf(paragraph.style)
    const list = { id: own?.id, level: own?.level ?? 0, ...paragraph.list }
    const mark = heading === 0 && list.id && list.id !== '0' ? styles.markOf(list.id, list.level) : ''
    if (heading > 0) this.#flow.beginHeading(heading)
    else this.#flow.setBullet(list.level, mark)
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

  #setRun(name: string, attributes: Attributes): undefined {
    const run = this.#run
    const { styles } = this.#context
    const { 'w:val': value = '' } = attributes
    if (!run) return
    if (name === 'vanish') run.isHidden = isOn(attributes)
    else if (name === 'rStyle') run.isHidden ||= styles.isHidden(value)
    const shift = name === 'vertAlign' ? shiftOf(value) : name === 'rStyle' ? styles.shiftOf(value) : null
    if (shift === null || run.isShifted) return
    run.isShifted = true
    this.#flow.shift(shift)
  }

  #link(address: string): End {
    this.#beginParagraph()
    this.#flow.beginLink(address)
    return () => this.#flow.endLink()
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

  #setBox(above: string, isChecked: boolean, attributes: Attributes): void {
    const field = this.#fields.at(-1)
    if (above === 'checkBox' && field) field.isChecked = isChecked
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

  #checkbox(): End {
    this.#beginParagraph()
    this.#add(boxOf(this.#box ?? false))
    return this.#hide()
  }

  #refer(kind: string, id: string): void {
    const note = this.#context.notes.get(`${kind} ${id}`)
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

  /** Each once: a document may refer to one any number of times. */
  #insert(id: string): void {
    const lines = this.#context.inserted.get(id) ?? []
    this.#context.inserted.delete(id)
    if (this.#paragraphs.length === 0) this.#flow.addLines(lines)
    else for (const line of lines) this.#flow.addNote(line)
  }
}

function symbolOf({ 'w:font': font = '', 'w:char': code = '' }: Attributes): string {
  const symbols = SYMBOLS[font.toLowerCase()] ?? ''
  const at = symbols.indexOf(code.slice(-2).toLowerCase())
  const number = Number.parseInt(code, 16)
  if (at >= 0 && code.length > 1) return symbols[at + 2] ?? ''
  return number > 0x20 && number < 0xe000 ? String.fromCharCode(number) : ''
}
