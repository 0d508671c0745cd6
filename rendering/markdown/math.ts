import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it'

/** Characters of a formula in a line. */
const LONGEST = 1000

/** `$formulas$` as code, whose asterisks and underscores are no emphasis. */
export function math(markdown: MarkdownIt): void {
  markdown.inline.ruler.after('escape', 'math', inlineMath)
  markdown.block.ruler.before('fence', 'math', blockMath, { alt: ['paragraph', 'blockquote', 'list'] })
}

/** Like pandoc: no space inside the dollars, and no digit after them, so that "$5 and $6" is money. */
function inlineMath(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (src[pos] !== '$') return false
  const found = /^(\$\$?)(?![\s$])([^$\n]{1,1000}?)(?<!\s)\1(?!\d)/.exec(src.slice(pos, pos + LONGEST + 4))
  if (!found?.[2]) return false
  if (!silent) {
    const token = state.push('code_inline', 'code', 0)
    token.content = found[2]
    token.attrSet('class', 'math')
  }
  state.pos = pos + found[0].length
  return true
}

function blockMath(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  const lineAt = (at: number) =>
    state.src.slice((state.bMarks[at] ?? 0) + (state.tShift[at] ?? 0), state.eMarks[at]).trimEnd()
  if (lineAt(line) !== '$$') return false
  let last = line + 1
  while (last < endLine && lineAt(last) !== '$$') last++
  if (last >= endLine) return false
  if (silent) return true
  state.line = last + 1
  const token = state.push('code_block', 'code', 0)
  token.content = state.getLines(line + 1, last, state.blkIndent, true)
  token.map = [line, state.line]
  token.attrSet('class', 'math')
  return true
}
