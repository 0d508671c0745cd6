import { relationsOf } from '../office/relations.js'
import { keptAddress } from '../shared/markdown-text.js'
import { relationOf, xmlElements } from '../shared/xml-elements.js'
import type { ZipParts } from '../shared/zip-parts.js'
import { matchesIn } from './sheet-xml.js'

/** Maximum linked cells of one sheet. */
const MAX_LINKS = 100_000
const MAX_TAG_LENGTH = 4_000
const TAG = /<(?:\w{1,20}:)?hyperlink\s[^<>]{1,4000}>/g
const FORMULA = /^\s{0,5}HYPERLINK\(\s{0,5}"([^"]{1,500})"/i

/** Link targets of an XLSX sheet by cell reference (`B2`); its XML lists them after the rows (ECMA-376-1 §18.3.1.47). */
export async function linksOf(parts: ZipParts, sheet: string): Promise<ReadonlyMap<string, string>> {
  const links = new Map<string, string>()
  const targets = new Map<string, string>()
  for (const { id, type, target, isOutside } of await relationsOf(parts, sheet)) {
    const address = isOutside && type === 'hyperlink' ? keptAddress(target) : null
    if (address !== null) targets.set(id, address)
  }
  if (targets.size === 0) return links
  for await (const [tag] of matchesIn(parts.text(sheet), TAG, MAX_TAG_LENGTH)) {
    if (links.size >= MAX_LINKS) break
    // The namespace prefix is declared outside of this tag.
    const { attributes = {} } = xmlElements(tag)[0] ?? {}
    const address = targets.get(relationOf(attributes) ?? '')
    const [cell = ''] = (attributes.ref ?? '').split(':')
    if (address !== undefined && cell !== '') links.set(cell, address)
  }
  return links
}

/** The target of a link formula (`HYPERLINK("https://…")`), or null. */
export function formulaLink(formula: string): string | null {
  const [, address] = FORMULA.exec(formula) ?? []
  return address === undefined ? null : keptAddress(address)
}
