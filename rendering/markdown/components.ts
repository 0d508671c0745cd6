import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it'
import { lineAt, mayBegin, pushHidden } from './block-lines.js'

/** A tag of a component on a line of its own, as MDX has them: `<Note>`, `</Note>`, `<Chart data="a.csv" />`. */
const TAG = /^<\/?[A-Z][\w.]{0,60}(?:\s[^<>]{0,500})?>[ \t]*$/
/** A comment of MDX on a line of its own. */
const COMMENT = /^\{\/\*(.{0,2000}?)\*\/\}[ \t]*$/
/** A comment in a line. One word names the heading before it (`attribute-lists.ts`), so it is not seen. */
const IN_LINE = /^\{\/\*([^\n]{1,1000}?)\*\/\}/
const LONGEST = 1010
const NAME = /^[\w-]+$/

/**
 * Components and comments of MDX. A tag of one takes its line only: what follows is Markdown, whereas HTML would take all up
 * to the next empty line.
 */
export function components(markdown: MarkdownIt): void {
  markdown.block.ruler.before('html_block', 'component', component, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  })
  markdown.inline.ruler.before('escape', 'component_comment', comment)
}

function comment(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  const [all, text = ''] = src.startsWith('{/*', pos)
    ? (IN_LINE.exec(src.slice(pos, pos + LONGEST)) ?? [])
    : []
  if (all === undefined) return false
  if (!silent && NAME.test(text)) pushHidden(state, text)
  else if (!silent) state.push('html_inline', '', 0).content = `<!--${text}-->`
  state.pos = pos + all.length
  return true
}

function component(state: StateBlock, line: number, _: number, silent: boolean): boolean {
  if (!mayBegin(state, line)) return false
  const text = lineAt(state, line)
  const comment = COMMENT.exec(text)?.[1]
  if (comment === undefined && !TAG.test(text)) return false
  if (silent) return true
  state.line = line + 1
  const token = state.push('html_block', '', 0)
  token.content = comment === undefined ? text : `<!--${comment}-->`
  token.map = [line, state.line]
  return true
}
