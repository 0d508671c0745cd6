import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it'
import { lineAt, mayBegin, pushHidden } from './block-lines.js'

/** How programs in a text begin and end: of templates, queries and shortcodes. */
const ENDS: Readonly<Record<string, string>> = { '{{': '}}', '{%': '%}', '<%': '%>' }
const EXPRESSION = '${'
/** What each of them begins with. */
const FIRST = '{<$'
/** Characters and lines of one. */
const LONGEST = 2000
const MOST_LINES = 200

const EMBED = /^\{\{ *embed +\[\[([^[\]|#]{1,300})\]\] *\}\}$/
const VIDEO = /^\{\{ *(?:video|youtube|vimeo|tweet|twitter|iframe) +(https?:\/\/[^\s{}]+) *\}\}$/
/** The end of a shortcode of Hugo, which says nothing. */
const CLOSING = /^\{\{[<%] *\//

/** `{{query …}}`, `${expressions}`, `<% templates %>`: what a program would write here is not known, so it is shown as code. */
export function programs(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('escape', 'program', inlineProgram)
  markdown.block.ruler.before('fence', 'program', blockProgram, { alt: ['paragraph', 'blockquote', 'list'] })
}

function inlineProgram(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (!FIRST.includes(src.charAt(pos))) return false
  const text = programAt(src.slice(pos, pos + LONGEST))
  if (text === null) return false
  if (!silent) push(state, text)
  state.pos = pos + text.length
  return true
}

/** The program that a text begins with, to its end. */
function programAt(text: string): string | null {
  const begin = text.slice(0, 2)
  if (begin === EXPRESSION) return expressionAt(text)
  const end = ENDS[begin]
  const at = end === undefined ? -1 : text.indexOf(end, 2)
  return at < 2 ? null : text.slice(0, at + 2)
}

/** To the brace that closes the first. */
function expressionAt(text: string): string | null {
  let depth = 0
  for (let at = 1; at < text.length; at++) {
    if (text[at] === '{') depth++
    if (text[at] === '}' && --depth === 0) return text.slice(0, at + 1)
  }
  return null
}

function push(state: StateInline, text: string): void {
  const [, embedded] = EMBED.exec(text) ?? []
  const [, address] = VIDEO.exec(text) ?? []
  if (CLOSING.test(text)) pushHidden(state, text)
  else if (embedded !== undefined)
    state.push('wikilink', '', 0).meta = { target: embedded, heading: '', label: embedded, isEmbed: true }
  else if (address !== undefined) {
    state.push('link_open', 'a', 1).attrSet('href', address)
    state.push('text', '', 0).content = address
    state.push('link_close', 'a', -1)
  } else {
    const token = state.push('code_inline', 'code', 0)
    token.content = text
    token.attrSet('class', 'program')
  }
}

/** A program of several lines, each of which would otherwise be read as Markdown. */
function blockProgram(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  if (!mayBegin(state, line, FIRST)) return false
  const begin = lineAt(state, line).slice(0, 2)
  if (begin !== EXPRESSION && !(begin in ENDS)) return false
  const lines = state.getLines(line, Math.min(endLine, line + MOST_LINES), state.blkIndent, false)
  const text = programAt(lines.trimStart().slice(0, LONGEST))
  const count = text?.split('\n').length ?? 1
  // What follows on the last line would be lost.
  if (text === null || count === 1 || !lineAt(state, line + count - 1).endsWith(text.slice(-1))) return false
  if (silent) return true
  const token = state.push('code_block', 'code', 0)
  token.content = `${text}\n`
  token.map = [line, line + count]
  token.attrSet('class', 'program')
  state.line = line + count
  return true
}
