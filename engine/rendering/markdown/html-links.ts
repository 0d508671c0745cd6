import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import { hrefOf } from './raw-html.js'

const END = /^<\/a\s*>$/i

/** Links of HTML in a line, `<a href="b.md">text</a>`, as links of Markdown: one is judged like the other. */
export function htmlLinks(markdown: MarkdownIt): void {
  // At the end, as addresses in their text are no links of their own.
  markdown.core.ruler.push('html_links', ({ tokens }: StateCore) => {
    for (const { children } of tokens) if (children) setPairs(children)
  })
}

function setPairs(tokens: readonly Token[]): void {
  let begun: Token | null = null
  let inside = 0
  for (const token of tokens) {
    if (token.type === 'link_open') inside++
    if (token.type === 'link_close') inside--
    // No link is in another one.
    if (token.type === 'link_open') begun = null
    if (token.type !== 'html_inline' || inside > 0) continue
    if (hrefOf(token.content) !== null) begun = token
    else if (begun && END.test(token.content)) {
      setLink(begun, 'link_open', 1)
      setLink(token, 'link_close', -1)
      begun = null
    }
  }
}

function setLink(token: Token, type: string, nesting: 1 | -1): void {
  const href = hrefOf(token.content)
  Object.assign(token, { type, tag: 'a', nesting, content: '' })
  if (href !== null) token.attrSet('href', href)
}
