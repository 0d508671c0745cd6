import { flat } from './flat.js'

/** Maximum characters of an address. */
const MAX_ADDRESS_LENGTH = 500
const ELSEWHERE = /^(?:https?:\/\/|mailto:)[^\s()<>]{1,500}$/i

/** An external address, escaped for Markdown, or null. Links within a document or site have no meaning outside of it. */
export function keptAddress(href: string): string | null {
  const trimmed = href.trim()
  if (trimmed.length > MAX_ADDRESS_LENGTH) return null
  const address = trimmed.replaceAll('(', '%28').replaceAll(')', '%29')
  return ELSEWHERE.test(address) ? address : null
}

/** `[text](address)` in Markdown; null if the text equals the address or there is no address. */
export function linkText(text: string, address: string): string | null {
  const shown = flat(text).replaceAll('[', '(').replaceAll(']', ')')
  const isAddress = shown === address || `mailto:${shown}` === address
  return shown === '' || isAddress ? null : `[${shown}](${address})`
}

/** `[[target|label]]`. */
export const wikilink = (target: string, label: string): string =>
  label === '' || label === target ? `[[${target}]]` : `[[${target}|${label}]]`

/** A checkbox. */
export const boxOf = (isChecked: boolean): string => (isChecked ? '[x] ' : '[ ] ')

/** Inline code. */
export function codeOf(code: string): string {
  const mark = code.includes('`') ? '``' : '`'
  const space = code.startsWith('`') || code.endsWith('`') ? ' ' : ''
  return `${mark}${space}${code.replaceAll('\n', ' ')}${space}${mark}`
}

/**
 * Converts the markup of another syntax.
 * @param begin matches the characters that may begin markup
 * @param markupAt the markup at an offset in Markdown, and the length of its source; null if it is text
 */
export function converted(
  text: string,
  begin: RegExp,
  markupAt: (at: number) => { shown: string; length: number } | null,
): string {
  let [shown, from] = ['', 0]
  for (const { index } of text.matchAll(begin)) {
    const markup = index < from ? null : markupAt(index)
    if (!markup) continue
    shown += text.slice(from, index) + markup.shown
    from = index + markup.length
  }
  return shown + text.slice(from)
}

/** A text as a code block. */
export const fenced = (text: string, language: string): string =>
  `~~~~${language.replace(/[^\w+#-]/g, '')}\n${text.replaceAll('~~~~', '~~~')}\n~~~~`

/** A table row. */
export const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** The line below the header row of a table. */
export const ruleOf = (columns: number): string => `|${' --- |'.repeat(columns)}`

/** Rows as a table, padded to the widest. The first row is the header. */
export function tableOf(rows: readonly (readonly string[])[]): string[] {
  const width = rows.reduce((most, { length }) => Math.max(most, length), 1)
  const shown = rows.map(row => rowOf(Array.from({ length: width }, (_, at) => row[at] ?? '')))
  return shown.length === 0 ? [] : [...shown.slice(0, 1), ruleOf(width), ...shown.slice(1)]
}
