import { words } from '../../../platform/common/words.js'
import { OdfStyles } from '../office/odf-styles.js'
import type { Attributes, End } from '../shared/element-reader.js'
import { UnreadableFile } from '../shared/format.js'
import { keptAddress } from '../shared/markdown-text.js'
import { pairs } from '../shared/pairs.js'
import type { ZipParts } from '../shared/zip-parts.js'
import { withNumber } from './cell-formats.js'
import { MergedCells } from './merged-cells.js'
import { formulaLink } from './sheet-tail.js'
import { MAX_CELL_LENGTH, MAX_COLUMNS, SheetXml } from './sheet-xml.js'
import type { SheetRow } from './sheets.js'

/** The rows of a workbook, sheet by sheet. */
export function rowsOf(parts: ZipParts): AsyncGenerator<SheetRow[]> {
  if (!parts.has('content.xml')) throw new UnreadableFile('This is not an ODS workbook, or it is damaged.')
  return new OdsSheets().rowsIn(parts.text('content.xml'))
}

/** Elements whose text is not part of a cell. */
const ASIDE = words('office:annotation draw:frame table:shapes text:tracked-changes text:ruby-text')

/** Maximum repetitions of a row. Rows that fill the sheet down to its end are read once. */
const MAX_REPEATED = 10_000

/** Reads the cells of all sheets (OpenDocument 1.3 part 3 §9.1). */
class OdsSheets extends SheetXml {
  #sheet: string | null = null
  #row = 0
  /** Number of sheet rows for the current row element. */
  #rows = 1
  /** The first address in the cell. */
  #link: string | null = null
  #column = 0
  #repeated = 1
  #number = ''
  #isNumber = false
  readonly #styles = new OdfStyles()
  #isParagraph = false
  /** Tables inside a cell. */
  #depth = 0

  protected text(text: string): void {
    if (this.#isParagraph && this.value.length < MAX_CELL_LENGTH) this.value += text.replace(/\s+/g, ' ')
  }

  protected override isAside(name: string): boolean {
    return ASIDE.has(name)
  }

  protected override open(name: string, attributes: Attributes): End {
    if (name.startsWith('style:')) return this.#styles.open(name, attributes)
    if (name === 'text:span')
      return this.beginPiece(this.#styles.shiftOf('text', attributes['text:style-name']))
    if (name === 'table:table') {
      if (this.#depth++ === 0) this.#beginSheet(attributes['table:name']?.trim() || 'Sheet')
      return this.#endTable
    }
    if (name === 'table:table-row' && this.#depth === 1) {
      this.#row += this.#rows
      this.#rows = countOf(attributes['table:number-rows-repeated'])
      this.beginRow()
      this.#column = 0
      return this.#endRow
    }
    if (/^table:(?:covered-)?table-cell$/.test(name) && this.#depth === 1) return this.#beginCell(attributes)
    if (name === 'text:a') this.#link ??= keptAddress(attributes['xlink:href'] ?? '')
    else if (this.#isParagraph && /^text:(?:s|tab|line-break)$/.test(name)) this.value += ' '
    if (name !== 'text:p') return undefined
    if (this.value !== '') this.value += '\n'
    this.#isParagraph = true
    return this.#endParagraph
  }

  #beginSheet(name: string): void {
    this.#sheet = name
    this.merged = new MergedCells()
    this.#row = 0
    this.#rows = 1
  }

  #beginCell(attributes: Attributes): End {
    this.#repeated = countOf(attributes['table:number-columns-repeated'])
    this.#span(attributes)
    this.#number = valueOfCell(attributes)
    this.#isNumber = NUMBERS.test(attributes['office:value-type'] ?? '')
    this.value = ''
    this.#link = formulaLink((attributes['table:formula'] ?? '').replace(/^of:=/, ''))
    return this.#endCell
  }

  readonly #endParagraph = () => {
    this.#isParagraph = false
  }

  readonly #endCell = () => this.#addCell()

  readonly #endRow = () => {
    const count = this.#rows > MAX_REPEATED ? 1 : this.#rows
    if (this.#sheet !== null) for (let at = 0; at < count; at++) this.endRow(this.#sheet, this.#row + at)
  }

  readonly #endTable = () => void this.#depth--

  /** Records the span of the next cell (OpenDocument 1.3 part 3 §19.678 and 19.680). */
  #span(attributes: Record<string, string>): void {
    const [columns, rows] = ['columns', 'rows'].map(what =>
      countOf(attributes[`table:number-${what}-spanned`]),
    )
    const left = this.#column + 1
    if (!columns || !rows || columns * rows === 1 || left > MAX_COLUMNS) return
    const right = Math.min(left + columns - 1, MAX_COLUMNS)
    this.merged.add({ top: this.#row, left, bottom: this.#row + rows - 1, right })
  }

  #addCell(): void {
    const shown = this.value.trim()
    const text = this.#isNumber ? withNumber(shown, this.#number) : this.#number || shown
    this.put(this.#column + 1, text, this.#link, this.#repeated)
    this.#column += this.#repeated
  }
}

/** A repetition or span count, at least 1. */
const countOf = (text: string | undefined) => Math.max(1, Math.trunc(Number(text)) || 1)

const NUMBERS = /^(?:float|percentage|currency)$/

/** Attributes with stored dates and numbers, by value type. */
const VALUES = pairs(`float office:value percentage office:value currency office:value date office:date-value
  boolean office:boolean-value`)

const valueOfCell = (attributes: Attributes) =>
  attributes[VALUES.get(attributes['office:value-type'] ?? '') ?? ''] ?? ''
