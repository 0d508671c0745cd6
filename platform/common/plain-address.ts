/** `{{ "/docs/" | relative_url }}` and `{{ site.baseurl }}/docs/` (Jekyll), `{{< ref "page.md" >}}` (Hugo). */
const PIPED = /^\{\{-? {0,9}["']([^"'{}]{0,500})["'] {0,9}\| {0,9}(?:relative|absolute)_url {0,9}-?\}\}/
const BASE = /^\{\{-? {0,9}(?:site\.)?(?:baseurl|url) {0,9}-?\}\}/i
const TAG = /^\{%-? {0,9}(?:link|post_url) {1,9}([^\s{}%]{1,500}) {0,9}-?%\}/
const REF = /^\{\{[<%] {0,9}(?:rel)?ref {1,9}["']?([^"'\s{}]{1,500})["']? {0,9}[>%]\}\}/

/**
 * The address that a website generator makes of a link: an address from the root for `@/page.md` (Zola) and the braces
 * of Liquid and Hugo. Others stay unchanged.
 */
export function plainAddress(written: string): string {
  if (written.startsWith('@/')) return written.slice(1)
  let address = written
  while (BASE.test(address)) address = address.replace(BASE, '')
  return address
    .replace(PIPED, '$1')
    .replace(TAG, (_, path: string) => (path.includes('/') ? `/${path}` : path))
    .replace(REF, '$1')
}
