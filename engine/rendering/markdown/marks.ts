import type { MarkdownIt } from 'markdown-it'
import { inlineRule, tokenizePart } from './rules.js'

/** Characters between two marks. */
const LONGEST = 1000

/** `==highlighted==` text and `%%comments%%`, as Obsidian writes them, and `^^highlighted^^`, as Logseq does. All stay readable. */
export function marks(markdown: MarkdownIt): void {
  between(markdown, 'highlight', '==', 'mark')
  between(markdown, 'logseq_highlight', '^^', 'mark')
  between(markdown, 'comment', '%%', 'span', 'comment')
}

function between(markdown: MarkdownIt, name: string, mark: string, tag: string, kind = ''): void {
  inlineRule(
    markdown,
    name,
    mark.charAt(0),
    (state, at) => {
      const from = at + mark.length
      const rest = state.src.startsWith(mark, at) ? state.src.slice(from, from + LONGEST) : ''
      const inner = rest.slice(0, Math.max(0, rest.indexOf(mark)))
      if (inner.trim() === '') return null
      // A comment may take several lines.
      if (kind === '' && (inner.includes('\n') || inner !== inner.trim())) return null
      const push = () => {
        const open = state.push(`${tag}_open`, tag, 1)
        if (kind !== '') open.attrSet('class', kind)
        tokenizePart(state, from, from + inner.length)
        state.push(`${tag}_close`, tag, -1)
      }
      return { end: from + inner.length + mark.length, push }
    },
    'emphasis',
  )
}
