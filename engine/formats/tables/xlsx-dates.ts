import type { XmlElement } from '../shared/xml-elements.js'

/** Built-in number formats with dates or times (ECMA-376-1 §18.8.30). */
const isBuiltIn = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

/** Which styles of cells (`s`) show a number as a date. */
export function isDateStyle(styles: readonly XmlElement[]): (style: number) => boolean {
  const dates = new Set<number>()
  for (const { name, attributes } of styles) {
    if (name !== 'numFmt') continue
    // Without texts in quotes, colours and conditions: [Red], [>=1]; but [h] counts hours.
    const code = (attributes.formatCode ?? '')
      .slice(0, 200)
      .replace(/"[^"]{0,200}"|\\.|\[(?!(?:h{1,9}|m{1,9}|s{1,9})\])[^\]]{0,200}\]/gi, '')
    if (/[ymdhs]/i.test(code) && !/general/i.test(code)) dates.add(Number(attributes.numFmtId))
  }
  const ids: number[] = []
  let isCellFormat = false
  for (const { name, attributes } of styles) {
    if (name === 'cellXfs') isCellFormat = true
    else if (name === 'cellStyles' || name === 'dxfs') isCellFormat = false
    else if (name === 'xf' && isCellFormat) ids.push(Number(attributes.numFmtId ?? 0))
  }
  return style => isBuiltIn(ids[style] ?? 0) || dates.has(ids[style] ?? 0)
}

const DAY_MS = 86_400_000
/** Days of 1970-01-01 since the day 0 of workbooks, and since that of workbooks from the Macintosh (1904). */
const [FROM_1900, FROM_1904] = [25_569, 24_107]
const LAST_DAY = 2_958_465

/** `45292.5` → `2024-01-01T12:00:00Z`; as it is where it is no date. */
export function dateText(value: string, is1904: boolean): string {
  const days = Number(value)
  if (!Number.isFinite(days) || days < 0 || days > LAST_DAY) return value
  // Before March 1900 days are counted wrongly on purpose; below one there is only a time.
  const time = Math.round((days - (is1904 ? FROM_1904 : FROM_1900)) * 86_400) * 1_000
  const text = new Date(time).toISOString()
  if (days < 1) return text.slice(11, 19)
  return time % DAY_MS === 0 ? text.slice(0, 10) : `${text.slice(0, 19)}Z`
}
