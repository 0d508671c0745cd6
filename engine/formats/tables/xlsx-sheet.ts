import type { Attributes, End, Handlers } from '../shared/element-reader.js'
import { UnreadableFile } from '../shared/format.js'
import { shiftOf } from '../shared/raised-text.js'
import { localName } from '../shared/xml-elements.js'
import type { ZipParts } from '../shared/zip-parts.js'
import type { CellFormats } from './cell-formats.js'
import type { MergedCells } from './merged-cells.js'
import { formulaLink } from './sheet-tail.js'
import { columnNumber, MAX_CELL_LENGTH, SheetXml } from './sheet-xml.js'

/** Maximum shared texts, and characters of all of them; they are held in memory. */
const MAX_TEXTS = 1_000_000
const MAX_CHARACTERS = 30_000_000
/** Maximum characters of a formula. */
const MAX_FORMULA_LENGTH = 600

/** Everything that the cells of a sheet refer to. */
interface SheetContext {
  merged: MergedCells
  /** Link targets by cell reference. */
  links: ReadonlyMap<string, string>
  texts: readonly string[]
  formats: CellFormats
}

/** `xl/sharedStrings.xml` (ECMA-376-1 §18.4). @throws UnreadableFile if there are too many */
export async function readSharedTexts(parts: ZipParts, path: string | undefined): Promise<string[]> {
  const shared = new SharedTexts()
  if (path === undefined || !parts.has(path)) return shared.texts
  for await (const some of parts.text(path)) {
    shared.write(some)
    if (shared.texts.length > MAX_TEXTS || shared.characters > MAX_CHARACTERS)
      throw new UnreadableFile('This XLSX has too many different texts. Save its sheets as CSV.')
  }
  shared.end()
  return shared.texts
}

/** Reads texts of a workbook with their superscripts, without phonetic hints. */
class XlsxTexts extends SheetXml {
  constructor() {
    super(localName)
  }

  protected override open(name: string, attributes: Attributes, above: string): End {
    if (name === 'rPh') return this.hide()
    if (name === 'r') return this.beginPiece()
    if (name === 'vertAlign') this.shift = shiftOf(attributes.val)
    return super.open(name, attributes, above)
  }

  protected text(text: string, within: string): void {
    if ((within === 'v' || within === 't') && this.value.length < MAX_CELL_LENGTH) this.value += text
  }
}

class SharedTexts extends XlsxTexts {
  readonly texts: string[] = []
  characters = 0

  protected override readonly elements: Handlers = {
    si: () => {
      this.value = ''
      return () => {
        const plain = plainText(this.value)
        this.characters += plain.length
        this.texts.push(plain)
      }
    },
  }
}

/** Reads the cells of a sheet (ECMA-376-1 §18.3) in pieces of its XML. */
export class XlsxSheet extends XlsxTexts {
  readonly #name: string
  readonly #context: SheetContext
  #row = 0
  #column = 0
  #formula = ''

  constructor(name: string, context: SheetContext) {
    super()
    this.#name = name
    this.#context = context
    this.merged = context.merged
  }

  protected override text(text: string, within: string): void {
    if (within !== 'f') super.text(text, within)
    else if (this.#formula.length < MAX_FORMULA_LENGTH) this.#formula += text
  }

  protected override readonly elements: Handlers = {
    row: attributes => {
      this.#row = Number(attributes.r) || this.#row + 1
      this.beginRow()
      this.#column = 0
      return () => this.endRow(this.#name, this.#row)
    },
    c: ({ r: reference = '', t: type = 'n', s: style = '0' }) => {
      this.#column = columnOf(reference) ?? this.#column + 1
      this.value = ''
      this.#formula = ''
      return () => {
        const link = this.#context.links.get(reference) ?? formulaLink(this.#formula)
        this.put(this.#column, this.#cellText(type, Number(style)), link)
      }
    },
  }

  #cellText(type: string, style: number): string {
    const { texts, formats } = this.#context
    const value = this.value.trim()
    switch (type) {
      case 's':
        return (texts[Number(value)] ?? '').trim()
      case 'b':
        return value === '1' ? 'true' : 'false'
      case 'e':
        return ''
      case 'n':
        return formats.textOf(value, style)
      default:
        return plainText(value).trim()
    }
  }
}

/** Decodes `_x000D_`, Excel's escape for characters that XML cannot contain, and `_x005F_` for a literal `_` before one. */
const plainText = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([\dA-F]{4})_/gi, (_, code: string) => {
        const character = String.fromCharCode(Number.parseInt(code, 16))
        return /[\p{Cc}\p{Cs}\p{Cn}]/u.test(character) ? ' ' : character
      })
    : text

/** `AB12` → 28 */
function columnOf(reference = ''): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0]
  return letters === undefined ? null : columnNumber(letters)
}
