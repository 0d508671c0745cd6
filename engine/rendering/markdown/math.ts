import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it'
import { lineAt } from './block-lines.js'
import { pushCode } from './block-parts.js'
import { pushInlineCode } from './inline-parts.js'

/** Characters of a formula in a line, and of one between two dollars. */
const LONGEST = 1000
const DISPLAYED = /^(\$\$)(?!\$)([^$]{1,1000})\1/

/** `$formulas$` as code, whose asterisks and underscores are no emphasis. */
export function math(markdown: MarkdownIt): void {
  markdown.inline.ruler.after('escape', 'math', inlineMath)
  markdown.block.ruler.before('fence', 'math', blockMath, { alt: ['paragraph', 'blockquote', 'list'] })
}

/** Like pandoc: no space inside the dollars, and no digit after them, so that "$5 and $6" is money. */
function inlineMath(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (src[pos] !== '$') return false
  const found =
    DISPLAYED.exec(src.slice(pos, pos + LONGEST + 4)) ??
    /^(\$\$?)(?![\s$])([^$\n]{1,1000}?)(?<!\s)\1(?!\d)/.exec(src.slice(pos, pos + LONGEST + 4))
  if (!found?.[2]?.trim()) return false
  if (!silent) pushInlineCode(state, 'math', found[2].trim())
  state.pos = pos + found[0].length
  return true
}

function blockMath(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  const last = lineAt(state, line).startsWith('$$') ? lastOf(state, line, endLine) : null
  if (last === null) return false
  if (silent) return true
  const text = state.getLines(line, last + 1, state.blkIndent, true).trim()
  pushCode(state, 'math', { content: text.slice(2, -2).trim(), line, end: last + 1 })
  return true
}

/** The line that ends with `$$`. A formula that begins beside its dollars has no empty line. */
function lastOf(state: StateBlock, line: number, endLine: number): number | null {
  const first = lineAt(state, line)
  if (first.length > 4 && first.endsWith('$$'))
    return first.indexOf('$$', 2) === first.length - 2 ? line : null
  if (first.includes('$$', 2)) return null
  for (let at = line + 1; at < endLine; at++) {
    if (first !== '$$' && state.isEmpty(at)) return null
    const text = lineAt(state, at)
    if (text.includes('$$')) return text.indexOf('$$') === text.length - 2 ? at : null
  }
  return null
}
