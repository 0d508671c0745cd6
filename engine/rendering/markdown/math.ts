import type { MarkdownIt, StateBlock, StateInline, Token } from 'markdown-it'
import type { RenderOptions } from '../article.js'
import { blockRule, codeFound, type FoundMarkup, inlineRule, lineAt, pushInlineCode } from './rules.js'

/** Maximum characters of a formula in a line and of a block. */
const MAX_LENGTH = 1000
const DISPLAYED = /^(\$\$)(?!\$)([^$]{1,1000})\1/

/** `$formulas$` as code, so that asterisks and underscores are not emphasis. */
export function math(markdown: MarkdownIt): void {
  inlineRule(markdown, 'math', '$', inlineMath, 'backticks')
  blockRule(markdown, 'math', '$', blockMath)
}

/** Whether it is a formula; also a block of code in the language `math`. */
export const isFormula = (token: Token): boolean =>
  token.attrGet('class') === 'math' || (token.type === 'fence' && token.info.trim() === 'math')

/** Shows formulas by `RenderOptions.formula`; as code where it gives null. */
export function showFormulas({ renderer: { rules } }: MarkdownIt): void {
  for (const name of ['fence', 'code_block', 'code_inline']) {
    const asCode = rules[name]
    rules[name] = (tokens, at, options, env, self) => {
      const token = tokens[at] as Token
      const { formula } = env as unknown as RenderOptions
      const tex = isFormula(token) ? token.content.trim() : ''
      const isBlock = name !== 'code_inline'
      const shown = tex === '' ? null : formula?.(tex, isBlock || tex.startsWith('\\begin'))
      if (!shown) return asCode?.(tokens, at, options, env, self) ?? ''
      return isBlock ? `<div class="formula scroll" tabindex="0">${shown}</div>\n` : shown
    }
  }
}

/** Like pandoc: no space inside the dollars, and no digit after them, so that "$5 and $6" is money. */
function inlineMath(state: StateInline, at: number): FoundMarkup | null {
  const text = state.src.slice(at, at + MAX_LENGTH + 4)
  const found = DISPLAYED.exec(text) ?? /^(\$\$?)(?![\s$])([^$\n]{1,1000}?)(?<!\s)\1(?!\d)/.exec(text)
  const formula = found?.[2]?.trim()
  return found && formula
    ? { end: at + found[0].length, push: () => pushInlineCode(state, 'math', formula) }
    : null
}

function blockMath(state: StateBlock, line: number, endLine: number): FoundMarkup | null {
  const last = lineAt(state, line).startsWith('$$') ? lastOf(state, line, endLine) : null
  if (last === null) return null
  const text = state.getLines(line, last + 1, state.blkIndent, true).trim()
  return codeFound(state, 'math', { content: text.slice(2, -2).trim(), line, end: last + 1 })
}

/** The line that ends with `$$`. A formula that begins on the line of its dollars has no empty line. */
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
