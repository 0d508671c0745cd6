import { words } from '../../../platform/common/words.js'
import { OdfStyles } from '../office/odf-styles.js'
import { checkOpenDocument } from '../office/office-properties.js'
import type { Attributes, End, Handlers } from '../shared/element-reader.js'
import { type SourceFile, UnreadableFile } from '../shared/format.js'
import { keptAddress } from '../shared/markdown-text.js'
import { pairs } from '../shared/pairs.js'
import type { ZipParts } from '../shared/zip-parts.js'
import { withNumber } from './cell-formats.js'
import { MergedCells } from './merged-cells.js'
import { formulaLink } from './sheet-tail.js'
import { MAX_CELL_LENGTH, MAX_COLUMNS, SheetXml } from './sheet-xml.js'
import { readSheets } from './sheets.js'

/** Reads a workbook sheet by sheet. */
export async function* readOds(parts: ZipParts, file: SourceFile | undefined, kind: string) {
  await checkOpenDocument(parts, kind)
  if (!parts.has('content.xml')) throw new UnreadableFile('This is not an ODS workbook, or it is damaged.')
  yield* readSheets(kind, new OdsSheets().rowsIn(parts.text('content.xml')), file)
}

/** Elements whose text is not part of a cell. */
const ASIDE = words('office:annotation draw:frame table:shapes text:tracked-changes text:ruby-text')

/** Maximum repetitions of a row. Rows that fill the sheet down to its end are read once. */
const MAX_REPEATED = 10_000

/** Reads the cells of all sheets (OpenDocument 1.3 part 3 §9.1). */
class OdsSheets extends SheetXml {
  #sheet = ''
  #row = 0
  /** Number of sheet rows for the current row element. */
  #rows = 1
  /** The first address in the cell. */
  #link: string | null = null
  #column = 0
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

  protected override open(name: string, attributes: Attributes, above: string): End {
    return name.startsWith('style:')
      ? this.#styles.open(name, attributes)
      : super.open(name, attributes, above)
  }

  protected override readonly elements: Handlers = {
    'text:span': attributes => this.beginPiece(this.#styles.shiftOf('text', attributes['text:style-name'])),
    'table:table': attributes => {
      if (this.#depth++ === 0) {
        this.#sheet = attributes['table:name']?.trim() || 'Sheet'
        this.merged = new MergedCells()
        this.#row = 0
        this.#rows = 1
      }
      return () => void this.#depth--
    },
    'table:table-row': attributes => this.#beginRow(attributes),
    'table:table-cell': attributes => this.#beginCell(attributes),
    'table:covered-table-cell': attributes => this.#beginCell(attributes),
    'text:a': attributes => {
      this.#link ??= keptAddress(attributes['xlink:href'] ?? '')
    },
    'text:s': () => this.text(' '),
    'text:tab': () => this.text(' '),
    'text:line-break': () => this.text(' '),
    'text:p': () => {
      if (this.value !== '') this.value += '\n'
      this.#isParagraph = true
      return () => {
        this.#isParagraph = false
      }
    },
  }

  #beginRow(attributes: Attributes): End {
    if (this.#depth !== 1) return undefined
    this.#row += this.#rows
    this.#rows = countOf(attributes['table:number-rows-repeated'])
    this.beginRow()
    this.#column = 0
    return () => {
      const count = this.#rows > MAX_REPEATED ? 1 : this.#rows
      for (let at = 0; at < count; at++) this.endRow(this.#sheet, this.#row + at)
    }
  }

  #beginCell(attributes: Attributes): End {
    if (this.#depth !== 1) return undefined
    const repeated = countOf(attributes['table:number-columns-repeated'])
    this.#span(attributes)
    const number = valueOfCell(attributes)
    const isNumber = NUMBERS.test(attributes['office:value-type'] ?? '')
    this.value = ''
    this.#link = formulaLink((attributes['table:formula'] ?? '').replace(/^of:=/, ''))
    return () => {
      const shown = this.value.trim()
      this.put(this.#column + 1, isNumber ? withNumber(shown, number) : number || shown, this.#link, repeated)
      this.#column += repeated
    }
  }

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
}

/** A repetition or span count, at least 1. */
const countOf = (text: string | undefined) => Math.max(1, Math.trunc(Number(text)) || 1)

const NUMBERS = /^(?:float|percentage|currency)$/

/** Attributes with stored dates and numbers, by value type. */
const VALUES = pairs(`float office:value percentage office:value currency office:value date office:date-value
  boolean office:boolean-value`)

const valueOfCell = (attributes: Attributes) =>
  attributes[VALUES.get(attributes['office:value-type'] ?? '') ?? ''] ?? ''
