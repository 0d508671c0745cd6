import { relationsOf } from '../office/relations.js'
import { keptAddress } from '../shared/markdown-text.js'
import { relationOf, xmlElements } from '../shared/xml-elements.js'
import type { ZipParts } from '../shared/zip-parts.js'
import type { MergedRange } from './merged-cells.js'
import { columnNumber, MAX_COLUMNS } from './sheet-xml.js'

/** What an XLSX sheet lists after its rows. */
interface SheetTail {
  /** Link targets by cell reference, `B2` (ECMA-376-1 §18.3.1.47). */
  links: Map<string, string>
  /** Merged cells (ECMA-376-1 §18.3.1.55). */
  ranges: MergedRange[]
}

/** Maximum linked cells and merged cells of one sheet. */
const MAX_LISTED = 100_000
const MAX_TAG_LENGTH = 4_000
const TAG = /<(?:\w{1,20}:)?(?:hyperlink|mergeCell)\s[^<>]{1,4000}>/g
const RANGE = /mergeCell ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"/
const FORMULA = /^\s{0,5}HYPERLINK\(\s{0,5}"([^"]{1,500})"/i

/** The links and merged cells of an XLSX sheet. */
export async function tailOf(parts: ZipParts, sheet: string): Promise<SheetTail> {
  const { links, ranges }: SheetTail = { links: new Map(), ranges: [] }
  const targets = new Map<string, string>()
  for (const { id, type, target, isOutside } of await relationsOf(parts, sheet)) {
    const address = isOutside && type === 'hyperlink' ? keptAddress(target) : null
    if (address !== null) targets.set(id, address)
  }
  for await (const tag of tagsIn(parts.text(sheet))) {
    const [, left = '', top, right = '', bottom] = RANGE.exec(tag) ?? []
    if (left !== '' && columnNumber(left) <= MAX_COLUMNS && ranges.length < MAX_LISTED)
      ranges.push({
        top: Number(top),
        left: columnNumber(left),
        bottom: Number(bottom),
        right: Math.min(columnNumber(right), MAX_COLUMNS),
      })
    if (left !== '' || targets.size === 0 || links.size >= MAX_LISTED) continue
    // The namespace prefix is declared outside of this tag.
    const { attributes = {} } = xmlElements(tag)[0] ?? {}
    const address = targets.get(relationOf(attributes) ?? '')
    const [cell = ''] = (attributes.ref ?? '').split(':')
    if (address !== undefined && cell !== '') links.set(cell, address)
  }
  return { links, ranges }
}

/** The tags in a text that arrives in pieces. */
async function* tagsIn(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const some of texts) {
    const text = rest + some
    let end = 0
    for (const match of text.matchAll(TAG)) {
      end = match.index + match[0].length
      yield match[0]
    }
    rest = text.slice(Math.max(end, text.length - MAX_TAG_LENGTH))
  }
}

/** The target of a link formula (`HYPERLINK("https://…")`), or null. */
export function formulaLink(formula: string): string | null {
  const [, address] = FORMULA.exec(formula) ?? []
  return address === undefined ? null : keptAddress(address)
}
