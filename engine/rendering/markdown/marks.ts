import type { MarkdownIt, StateInline } from 'markdown-it'
import { tokenizePart } from './inline-parts.js'

/** Characters between two marks. */
const LONGEST = 1000

/** `==highlighted==` text and `%%comments%%`, as Obsidian writes them, and `^^highlighted^^`, as Logseq does. All stay readable. */
export function marks(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('emphasis', 'highlight', between('==', 'mark', ''))
  markdown.inline.ruler.before('emphasis', 'logseq_highlight', between('^^', 'mark', ''))
  markdown.inline.ruler.before('emphasis', 'comment', between('%%', 'span', 'comment'))
}

function between(mark: string, tag: string, name: string) {
  return (state: StateInline, silent: boolean): boolean => {
    const { src, pos } = state
    if (!src.startsWith(mark, pos)) return false
    const from = pos + mark.length
    const length = src.slice(from, from + LONGEST).indexOf(mark)
    const inner = length > 0 ? src.slice(from, from + length) : ''
    if (inner.trim() === '') return false
    // A comment may take several lines.
    if (name === '' && (inner.includes('\n') || inner !== inner.trim())) return false
    if (!silent) {
      const open = state.push(`${tag}_open`, tag, 1)
      if (name !== '') open.attrSet('class', name)
      tokenizePart(state, from, from + inner.length)
      state.push(`${tag}_close`, tag, -1)
    }
    state.pos = from + inner.length + mark.length
    return true
  }
}
