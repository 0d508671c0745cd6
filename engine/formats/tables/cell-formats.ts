import { format, getFormatFromId, getFormatInfo, isDateFormat } from 'numfmt'
import { numberText } from '../office/drawings.js'
import type { XmlElement } from '../shared/xml-elements.js'

/** Maximum characters of a format code, and digits from which a double may be inexact. */
const MAX_CODE = 255
const LONG_NUMBER = /^-?\d{16,}$/
const COUNTED = /\[(?:h{1,9}|m{1,9}|s{1,9})\]/i

/** Built-in East Asian date formats (ECMA-376-1 §18.8.30). */
const isEastAsian = (id: number) => (id >= 27 && id <= 36) || (id >= 50 && id <= 58)

/** Formats numbers by the styles of their cells (ECMA-376-1 §18.8.30 and 18.8.31). */
export class CellFormats {
  readonly #codes: string[] = []
  readonly #is1904: boolean

  /** @param styles the elements of `styles.xml` */
  constructor(styles: readonly XmlElement[], is1904: boolean) {
    this.#is1904 = is1904
    const own = new Map<number, string>()
    let isCellFormat = false
    for (const { name, attributes } of styles) {
      const id = Number(attributes.numFmtId ?? 0)
      if (name === 'numFmt') own.set(id, plainCode(attributes.formatCode ?? ''))
      else if (name === 'cellXfs') isCellFormat = true
      else if (name === 'cellStyles' || name === 'dxfs') isCellFormat = false
      else if (name === 'xf' && isCellFormat)
        this.#codes.push(own.get(id) ?? (isEastAsian(id) ? 'yyyy-mm-dd' : (getFormatFromId(id) ?? 'General')))
    }
  }

  /** A number as its cell shows it; dates as in ISO 8601. The exact number is added if digits are hidden. */
  textOf(value: string, style: number): string {
    const code = this.#codes[style] ?? 'General'
    if (value === '' || LONG_NUMBER.test(value) || /^(?:General|@)$/i.test(code)) return numberText(value)
    if (isDateFormat(code) && !COUNTED.test(code)) return dateText(value, this.#is1904)
    const number = Number(value)
    // For negative durations, the library counts the hours of the previous day.
    const isLess = number < 0 && COUNTED.test(code)
    const text = format(code, isLess ? -number : number, { throws: false })
    const shown = (isLess ? `-${text}` : text).replace(/\s+/g, ' ').trim()
    if (/^#+$/.test(shown)) return numberText(value)
    const { type, scale } = getFormatInfo(code)
    if (COUNTED.test(code) || (type === 'number' && scale === 1 && shown === '')) return shown
    return withNumber(shown, numberText(value), scale !== 1 && type !== 'percent')
  }
}

/** The code without its locale, which would change number formats: `[$€-407]` becomes `"€"`. */
const plainCode = (code: string) =>
  code.slice(0, MAX_CODE).replace(/\[\$([^\]"-]{0,20})(?:-[^\]]{0,40})?\]/g, '"$1"')

/** The displayed text, followed by the number if its digits differ: `12% (0.1234)`. */
export function withNumber(shown: string, value: string, isScaled = false): string {
  if (shown === '' || value === '') return shown || value
  return !isScaled && digitsOf(shown) === digitsOf(value) ? shown : `${shown} (${value})`
}

const digitsOf = (text: string) => text.replace(/\D/g, '').replace(/^0+|(?<!0)0+$/g, '')

const DAY_MS = 86_400_000
/** 1970-01-01 in days since day 0 of workbooks, and of workbooks from the Macintosh (1904). */
const [FROM_1900, FROM_1904] = [25_569, 24_107]
const LAST_DAY = 2_958_465

/** `45292.5` → `2024-01-01T12:00:00Z`; unchanged if it is not a date. */
function dateText(value: string, is1904: boolean): string {
  const days = Number(value)
  if (!Number.isFinite(days) || days < 0 || days > LAST_DAY) return value
  // Excel counts days before March 1900 wrongly on purpose; values below 1 are times.
  const time = Math.round((days - (is1904 ? FROM_1904 : FROM_1900)) * 86_400) * 1_000
  const text = new Date(time).toISOString()
  if (days < 1) return text.slice(11, 19)
  return time % DAY_MS === 0 ? text.slice(0, 10) : `${text.slice(0, 19)}Z`
}
