import * as bidiJs from 'bidi-js'
import { normalForm } from '../../../platform/common/normal-form.js'
import { shiftedText } from '../shared/raised-text.js'

/** A piece of text on a page, from PDF.js. */
export interface PdfText {
  str: string
  dir: string
  /** `[…, left, bottom]` */
  transform: number[]
  width: number
  height: number
  hasEOL: boolean
  fontName: string
}

/** Minimum distance of paragraphs, as a multiple of the line height. */
const PARAGRAPH_GAP = 1.7
/** Minimum ratio of line heights between paragraphs, such as headings and notes. */
const OTHER_HEIGHT = 1.1
/** Lines below this share of the longest one end where the author ended them: in lists, tables and poems. */
const SHORT_LINE = 0.75
/** Characters after which a paragraph ends at the line end. */
const MAX_PARAGRAPH = 4_000
/** Minimum gap between columns, as a multiple of the line height. */
const COLUMN_GAP = 1.5
/** Superscript and subscript as shares of the line height: maximum size, and offset above and below. */
const [SMALL, ABOVE, BELOW] = [0.92, 0.15, -0.05]

/** The paragraphs of a page, with lines joined and hyphenated words merged. */
export function paragraphsOf(texts: readonly PdfText[], fields: readonly PdfField[] = []): string[] {
  const paragraphs: string[] = []
  const left = new Set(fields)
  const lines = withFields([...linesOf(texts, left)], [...left])
  const longest = lines.reduce((most, { text }) => Math.max(most, text.length), 0)
  let before: PdfLine | null = null
  for (const line of lines) {
    const last = paragraphs.at(-1)
    if (last === undefined || before === null || isOther(before, line) || last.length > MAX_PARAGRAPH)
      paragraphs.push(line.text)
    else if (before.text.length < SHORT_LINE * longest || isAlone(before, line))
      paragraphs[paragraphs.length - 1] = `${last}\n${line.text}`
    else paragraphs[paragraphs.length - 1] = joined(last, line.text)
    before = line
  }
  return paragraphs
}

/** Adds the remaining fields as separate lines, each after the text above it. */
function withFields(lines: PdfLine[], fields: readonly PdfField[]): PdfLine[] {
  for (const { text, bottom } of fields) {
    const above = lines.findLastIndex(line => line.bottom > bottom)
    const height = lines[above]?.height ?? 0
    lines.splice(above + 1, 0, { text, bottom, height, font: null, isRow: true, isField: true })
  }
  return lines
}

function isOther(before: PdfLine, line: PdfLine): boolean {
  if (line.isField) return false
  const [lower, higher] = [Math.min(before.height, line.height), Math.max(before.height, line.height)]
  return higher > OTHER_HEIGHT * lower || before.bottom - line.bottom > PARAGRAPH_GAP * higher
}

/** Whether a line does not continue the previous one: list items, table rows, headings in another font. */
const isAlone = (before: PdfLine, line: PdfLine) =>
  before.isRow ||
  line.isRow ||
  /^[•◦▪–-]\s/.test(line.text) ||
  (before.font !== null && line.font !== null && before.font !== line.font)

interface PdfLine {
  text: string
  bottom: number
  height: number
  /** The font, if there is only one. */
  font: string | null
  /** Whether its texts are in columns. */
  isRow: boolean
  isField?: boolean
}

function* linesOf(texts: readonly PdfText[], fields: Set<PdfField>): Generator<PdfLine> {
  let pieces: PdfText[] = []
  for (const piece of texts) {
    if (isCaption(piece, pieces.at(-1))) {
      yield* lineOf(pieces, fields)
      pieces = []
    }
    pieces.push(piece)
    if (!piece.hasEOL) continue
    yield* lineOf(pieces, fields)
    pieces = []
  }
  yield* lineOf(pieces, fields)
}

/** Whether a text is below a much larger one, such as the caption of a figure in large type; PDF.js ends no line there. */
const isCaption = (piece: PdfText, before = piece): boolean =>
  piece.height > 0 &&
  before.height > 2 * piece.height &&
  placeOf(before)[1] - placeOf(piece)[1] >= piece.height

/** @param fields the fields of the page; those on the line are removed and added to its text */
function* lineOf(pieces: PdfText[], fields: Set<PdfField>): Generator<PdfLine> {
  const height = pieces.reduce((most, piece) => Math.max(most, piece.height), 0)
  const shown = pieces.filter(({ str }) => str.trim() !== '')
  const first = shown.find(piece => piece.height >= SMALL * height) ?? shown[0]
  if (!first) return
  const [, bottom] = placeOf(first)
  for (const field of fields) {
    if (bottom < field.bottom - 1 || bottom > field.top) continue
    fields.delete(field)
    const at = pieces.findIndex(piece => placeOf(piece)[0] > field.left)
    const transform = [0, 0, 0, 0, field.left, bottom]
    pieces.splice(at < 0 ? pieces.length : at, 0, {
      ...first,
      str: ` ${field.text} `,
      dir: 'ltr',
      transform,
      width: 0,
    })
  }
  const isRow = shown.some((piece, at) => {
    const next = shown[at + 1]
    return next !== undefined && placeOf(next)[0] - placeOf(piece)[0] - piece.width > COLUMN_GAP * height
  })
  const fonts = new Set(shown.map(({ fontName }) => fontName))
  const whole = pieces.map(({ str }) => str).join('')
  const text = isRightToLeft(whole) ? readingOrder(pieces) : textOf(pieces, bottom, height)
  yield {
    text: flat(withoutShapes(text)),
    bottom,
    height,
    font: fonts.size === 1 ? first.fontName : null,
    isRow,
  }
}

const placeOf = ({ transform }: PdfText): [left: number, bottom: number] => [
  transform[4] ?? 0,
  transform[5] ?? 0,
]

/** The text of a line, with superscript and subscript numbers. */
function textOf(pieces: readonly PdfText[], bottom: number, height: number): string {
  let text = ''
  let shifted = ''
  let kind: 'raised' | 'lowered' | null = null
  const end = () => {
    if (kind !== null) text += shiftedText(text, shifted, kind)
    shifted = ''
    kind = null
  }
  for (const piece of pieces) {
    const rise = (placeOf(piece)[1] - bottom) / height
    const isSmall = piece.str.trim() !== '' && piece.height < SMALL * height
    const own = !isSmall ? null : rise > ABOVE ? 'raised' : rise < BELOW ? 'lowered' : null
    if (own !== kind) end()
    kind = own
    if (own === null) text += piece.str
    else shifted += piece.str
  }
  end()
  return text
}

function joined(text: string, next: string): string {
  return /\p{L}-$/u.test(text.slice(-3)) && /^\p{Ll}/u.test(next)
    ? text.slice(0, -1) + next
    : `${text} ${next}`
}

/** Characters of damaged fonts are NUL. */
const flat = (text: string) => text.replace(/[\s\0]+/g, ' ').trim()

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/
const STRONG_RIGHT = /[\u05d0-\u05f2\u0620-\u064a\u066e-\u06d3\u0700-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/g
const STRONG_LEFT = /[A-Za-z\u00c0-\u024f\u0370-\u052f]/g
/** Presentation forms of letters. */
const SHAPES = /[\ufb00-\ufb06\ufb13-\ufdff\ufe70-\ufefc]+/g
/** Minimum gap between words, as a share of the height. */
const WORD_GAP = 0.15

// The default export differs between Node, the bundle and the types.
const bidi = (bidiJs as unknown as { default: () => bidiJs.Bidi }).default()

/** Whether a text has right-to-left letters. */
const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text)

/** Replaces presentation forms by letters (NFKC, Unicode Standard Annex #15): `ﬁ`, Arabic and Hebrew forms. */
const withoutShapes = (text: string): string => text.replace(SHAPES, shapes => normalForm(shapes, 'NFKC'))

/**
 * A line with right-to-left text in reading order. Its pieces are in page order, each in its own logical order. The
 * line is first put in visual order, from left to right, and then reordered (Unicode Standard Annex #9).
 */
function readingOrder(pieces: readonly PdfText[]): string {
  let seen = ''
  let end: number | null = null
  for (const piece of [...pieces].sort((a, b) => placeOf(a)[0] - placeOf(b)[0])) {
    const { str, dir, width, height } = piece
    const [x] = placeOf(piece)
    const isApart = end !== null && x - end > WORD_GAP * height && height > 0
    if (isApart && !/\s$/.test(seen) && !/^\s/.test(str)) seen += ' '
    seen += isRightToLeft(str) ? reordered(str, dir === 'rtl' ? 'rtl' : 'ltr') : str
    end = Math.max(end ?? x, x + width)
  }
  const right = seen.match(STRONG_RIGHT)?.length ?? 0
  // Visual order uses mirrored brackets (Unicode Standard Annex #9, L4).
  return reordered(seen, right >= (seen.match(STRONG_LEFT)?.length ?? 0) ? 'rtl' : 'ltr', true)
}

/** Converts from reading order to visual order, and back. */
function reordered(text: string, direction: 'ltr' | 'rtl', isMirrored = false): string {
  const levels = bidi.getEmbeddingLevels(text, direction)
  const mirrored: Map<number, string> = isMirrored
    ? bidi.getMirroredCharactersMap(text, levels.levels)
    : new Map()
  const order: Iterable<number> = bidi.getReorderedIndices(text, levels)
  return Array.from(order, at => mirrored.get(at) ?? text[at] ?? '').join('')
}

/** The value and position of a form field. */
interface PdfField {
  text: string
  left: number
  bottom: number
  top: number
}

/** A form field, note or link on a page in PDF.js (ISO 32000-1 §12.5). */
interface Annotation {
  subtype?: string
  fieldType?: string
  fieldValue?: unknown
  rect?: number[]
  hidden?: boolean
  password?: boolean
  checkBox?: boolean
  radioButton?: boolean
  buttonValue?: string
  exportValue?: string
  contentsObj?: { str?: string }
  titleObj?: { str?: string }
}

const MAX_FIELDS = 500
const HIDDEN_VALUES = /^(?:Off)?$/

/** The field values and note texts of a page, without passwords and hidden fields. */
export function extrasOf(annotations: readonly Annotation[]): { fields: PdfField[]; notes: string[] } {
  const fields: PdfField[] = []
  const notes: string[] = []
  for (const annotation of annotations.slice(0, MAX_FIELDS)) {
    const { subtype, hidden, rect = [], contentsObj, titleObj } = annotation
    if (hidden) continue
    if (subtype === 'Widget') {
      const text = fieldText(annotation).replace(/\s+/g, ' ').trim()
      if (text !== '') fields.push({ text, left: rect[0] ?? 0, bottom: rect[1] ?? 0, top: rect[3] ?? 0 })
    } else if (subtype !== 'Link' && subtype !== 'Popup') {
      const said = contentsObj?.str?.replace(/\s+/g, ' ').trim() ?? ''
      const by = titleObj?.str?.trim() ? ` by ${titleObj.str.trim()}` : ''
      if (said !== '') notes.push(subtype === 'FreeText' ? said : `Comment${by}: ${said}`)
    }
  }
  return { fields, notes }
}

function fieldText(annotation: Annotation): string {
  const { fieldType, fieldValue, password, checkBox, radioButton, buttonValue, exportValue } = annotation
  if (password) return ''
  const value = Array.isArray(fieldValue) ? fieldValue.join(', ') : String(fieldValue ?? '')
  if (fieldType !== 'Btn') return fieldType === 'Sig' ? '' : value
  if (checkBox) return HIDDEN_VALUES.test(value) ? '[ ]' : '[x]'
  return radioButton && !HIDDEN_VALUES.test(value) && value === (buttonValue ?? exportValue) ? '[x]' : ''
}
