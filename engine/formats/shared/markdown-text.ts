import { flat } from './flat.js'

/** Characters of an address that is kept. */
const MAX_ADDRESS_LENGTH = 500
const ELSEWHERE = /^(?:https?:\/\/|mailto:)[^\s()<>]{1,500}$/i

/** An address elsewhere as it can stand in Markdown, or null. A link within a document or its site says nothing outside of it. */
export function keptAddress(href: string): string | null {
  const trimmed = href.trim()
  if (trimmed.length > MAX_ADDRESS_LENGTH) return null
  const address = trimmed.replaceAll('(', '%28').replaceAll(')', '%29')
  return ELSEWHERE.test(address) ? address : null
}

/** `[text](address)`, as in Markdown; null where the text is the address, or there is none. */
export function linkText(text: string, address: string): string | null {
  const shown = flat(text).replaceAll('[', '(').replaceAll(']', ')')
  const isAddress = shown === address || `mailto:${shown}` === address
  return shown === '' || isAddress ? null : `[${shown}](${address})`
}

/** `[[target|label]]`. */
export const wikilink = (target: string, label: string): string =>
  label === '' || label === target ? `[[${target}]]` : `[[${target}|${label}]]`

/** A box that is ticked or not. */
export const boxOf = (isChecked: boolean): string => (isChecked ? '[x] ' : '[ ] ')

/** A piece of code within a line. */
export function codeOf(code: string): string {
  const mark = code.includes('`') ? '``' : '`'
  const space = code.startsWith('`') || code.endsWith('`') ? ' ' : ''
  return `${mark}${space}${code.replaceAll('\n', ' ')}${space}${mark}`
}

/** A text as a block of code. */
export const fenced = (text: string, language: string): string =>
  `~~~~${language.replace(/[^\w+#-]/g, '')}\n${text.replaceAll('~~~~', '~~~')}\n~~~~`

/** A row of a table. */
export const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** What stands below the first row of a table. */
export const ruleOf = (columns: number): string => `|${' --- |'.repeat(columns)}`

/** Rows as a table, all of them as wide as the widest. The first is its head. */
export function tableOf(rows: readonly (readonly string[])[]): string[] {
  const width = rows.reduce((most, { length }) => Math.max(most, length), 1)
  const shown = rows.map(row => rowOf(Array.from({ length: width }, (_, at) => row[at] ?? '')))
  return shown.length === 0 ? [] : [...shown.slice(0, 1), ruleOf(width), ...shown.slice(1)]
}
