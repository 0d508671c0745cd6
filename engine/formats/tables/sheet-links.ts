import { relationsOf } from '../office/relations.js'
import { keptAddress } from '../shared/markdown-text.js'
import { relationOf, xmlElements } from '../shared/xml-elements.js'
import type { ZipParts } from '../shared/zip-parts.js'
import { matchesIn } from './sheet-xml.js'

/** Cells with a link that are read, in one sheet. */
const MAX_LINKS = 100_000
const MAX_TAG_LENGTH = 4_000
const TAG = /<(?:\w{1,20}:)?hyperlink\s[^<>]{1,4000}>/g
const FORMULA = /^\s{0,5}HYPERLINK\(\s{0,5}"([^"]{1,500})"/i

/** The addresses behind cells of a sheet of XLSX by their references (`B2`), which its XML has behind the rows (ECMA-376-1 §18.3.1.47). */
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
    // Its prefix is declared elsewhere.
    const { attributes = {} } = xmlElements(tag)[0] ?? {}
    const address = targets.get(relationOf(attributes) ?? '')
    const [cell = ''] = (attributes.ref ?? '').split(':')
    if (address !== undefined && cell !== '') links.set(cell, address)
  }
  return links
}

/** The address that a formula puts behind its cell (`HYPERLINK("https://…")`), or null. */
export function formulaLink(formula: string): string | null {
  const [, address] = FORMULA.exec(formula) ?? []
  return address === undefined ? null : keptAddress(address)
}
