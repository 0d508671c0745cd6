import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it'
import { codeFound, pushAddress, pushInlineCode } from './block-parts.js'
import { blockRule, type Found, inlineRule, lineAt } from './rules.js'

/** The delimiters of templates and queries. */
const ENDS: Readonly<Record<string, string>> = { '{{': '}}', '{%': '%}', '<%': '%>' }
const EXPRESSION = '${'
/** Their first characters. */
const FIRST = '{<$'
/** Maximum characters and lines of a program. */
const MAX_LENGTH = 2000
const MAX_LINES = 200

const EMBED = /^\{\{ *embed +\[\[([^[\]|#]{1,300})\]\] *\}\}$/
const VIDEO = /^\{\{ *(?:video|youtube|vimeo|tweet|twitter|iframe) +(https?:\/\/[^\s{}]+) *\}\}$/
/** An included file: `<<< @/snippets/a.js{2}` (VitePress), `--8<-- "a.md"` (MkDocs). */
const FILE = /^(?:<<< {0,3}["']?[@.~/\w][^<>]{1,300}|-{1,10}8<-{1,10}(?: .{1,300})?)$/
/** The documentation of a module: `::: package.name` (MkDocs), followed by options. */
const MODULE = /^::: +[\w-]+(?:\.[\w-]+)+$/
const OPTIONS_INDENT = 2

/** `{{query …}}`, `${expressions}`, `<% templates %>`: shown as code, because the output is unknown. */
export function programs(markdown: MarkdownIt): void {
  inlineRule(markdown, 'program', FIRST, (state, at) => {
    const text = programAt(state.src.slice(at, at + MAX_LENGTH))
    return text === null ? null : { end: at + text.length, push: () => push(state, text) }
  })
  blockRule(markdown, 'program', FIRST, blockProgram)
  blockRule(markdown, 'part_of_file', '<-:', partOfFile)
}

/** The program at the beginning of a text. */
function programAt(text: string): string | null {
  const begin = text.slice(0, 2)
  if (begin === EXPRESSION) return expressionAt(text)
  const end = ENDS[begin]
  const at = end === undefined ? -1 : text.indexOf(end, 2)
  return at < 2 ? null : text.slice(0, at + 2)
}

/** The text up to the brace that closes the first one. */
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
  if (embedded !== undefined)
    state.push('wikilink', '', 0).meta = { target: embedded, heading: '', label: embedded, isEmbed: true }
  else if (address !== undefined) pushAddress(state, address)
  else pushInlineCode(state, 'program', text)
}

/** A program of several lines, which must not be read as Markdown. */
function blockProgram(state: StateBlock, line: number, endLine: number): Found | null {
  const begin = lineAt(state, line).slice(0, 2)
  if (begin !== EXPRESSION && !(begin in ENDS)) return null
  const lines = state.getLines(line, Math.min(endLine, line + MAX_LINES), state.blkIndent, false)
  const content = programAt(lines.trimStart().slice(0, MAX_LENGTH))
  const count = content?.split('\n').length ?? 1
  // Otherwise the rest of the last line would be lost.
  return content === null || count === 1 || !lineAt(state, line + count - 1).endsWith(content.slice(-1))
    ? null
    : codeFound(state, 'program', { content, line, end: line + count })
}

/** A line, with its options, that stands for a file or for the output of a program. */
function partOfFile(state: StateBlock, line: number, endLine: number): Found | null {
  const text = lineAt(state, line)
  const isModule = MODULE.test(text)
  if (!isModule && !FILE.test(text)) return null
  const isOption = (at: number) =>
    isModule && (state.sCount[at] ?? 0) - state.blkIndent >= OPTIONS_INDENT && !state.isEmpty(at)
  let end = line + 1
  while (end < endLine && isOption(end)) end++
  return codeFound(state, 'program', {
    content: state.getLines(line, end, state.blkIndent, false),
    line,
    end,
  })
}
