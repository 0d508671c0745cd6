/** Characters of an address that is kept. */
const LONGEST_ADDRESS = 500
const ELSEWHERE = /^(?:https?:\/\/|mailto:)[^\s()<>]{1,500}$/i

/** An address elsewhere as it can stand in Markdown, or null. A link within a document or its site says nothing outside of it. */
export function keptAddress(href: string): string | null {
  const trimmed = href.trim()
  if (trimmed.length > LONGEST_ADDRESS) return null
  const address = trimmed.replaceAll('(', '%28').replaceAll(')', '%29')
  return ELSEWHERE.test(address) ? address : null
}

/** `[text](address)`, as in Markdown; null where the text is the address, or there is none. */
export function linkText(text: string, address: string): string | null {
  const flat = text.replace(/\s+/g, ' ').trim().replaceAll('[', '(').replaceAll(']', ')')
  const isAddress = flat === address || `mailto:${flat}` === address
  return flat === '' || isAddress ? null : `[${flat}](${address})`
}
