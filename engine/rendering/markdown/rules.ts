import type { MarkdownIt, StateBlock, StateInline, Token } from 'markdown-it'
import { escapeHtml } from '../../../platform/common/escape-html.js'
import type { RenderOptions } from '../article.js'

/** Nesting depth of boxes; deeper ones are text. */
const MAX_DEPTH = 40

/** A recognized construct: its end, and a function that makes its tokens. */
export interface FoundMarkup {
  /** The line after it, or the offset after a part of a line. */
  end: number
  push(): void
}

/** A line without its indentation and without spaces at its end. */
export const lineAt = (state: StateBlock, line: number): string =>
  state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]).trimEnd()

/** Whether a block that begins with one of these characters is allowed: not in code, not nested too deeply. */
const mayBegin = (state: StateBlock, line: number, first: string): boolean =>
  first.includes(state.src.charAt((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0))) &&
  (state.sCount[line] ?? 0) - state.blkIndent < 4 &&
  state.level < MAX_DEPTH

/**
 * Adds a rule for blocks that begin with one of the characters `first`. It runs before the rule `before`, and its blocks interrupt
 * those in `alt`.
 */
export function blockRule(
  markdown: MarkdownIt,
  name: string,
  first: string,
  find: (state: StateBlock, line: number, endLine: number) => FoundMarkup | null,
  { before = 'fence', alt = ['paragraph', 'blockquote', 'list'] } = {},
): void {
  const rule = (state: StateBlock, line: number, endLine: number, silent: boolean) => {
    const found = mayBegin(state, line, first) ? find(state, line, endLine) : null
    if (found && !silent) {
      found.push()
      state.line = found.end
    }
    return found !== null
  }
  markdown.block.ruler.before(before, name, rule, { alt })
}

/** Adds a rule for inline constructs that begin with one of the characters `first`. It runs before the rule `before`. */
export function inlineRule(
  markdown: MarkdownIt,
  name: string,
  first: string,
  find: (state: StateInline, at: number) => FoundMarkup | null,
  before = 'escape',
): void {
  markdown.inline.ruler.before(before, name, (state: StateInline, silent: boolean) => {
    const found = first.includes(state.src.charAt(state.pos)) ? find(state, state.pos) : null
    if (!found) return false
    if (!silent) found.push()
    state.pos = found.end
    return true
  })
}

/** Shows tokens as HTML, by their types. */
export function showTokens(
  { renderer: { rules } }: MarkdownIt,
  html: Readonly<Record<string, (token: Token, options: RenderOptions) => string>>,
): void {
  for (const [type, show] of Object.entries(html))
    rules[type] = (tokens, at, _, env) => show(tokens[at] as Token, env as unknown as RenderOptions)
}

/** Tokenizes lines as blocks inside another one. @param indent columns to remove */
export function tokenizeInside(state: StateBlock, from: number, to: number, indent: number): void {
  const { blkIndent, lineMax, parentType } = state
  state.parentType = 'blockquote'
  state.blkIndent = blkIndent + indent
  state.lineMax = to
  state.md.block.tokenize(state, from, to)
  Object.assign(state, { blkIndent, lineMax, parentType })
}

/** Reads a part of a line as Markdown. */
export function tokenizePart(state: StateInline, from: number, to: number): void {
  const { posMax } = state
  state.pos = from
  state.posMax = to
  state.md.inline.tokenize(state)
  state.posMax = posMax
}

/** Ends of components, of shortcodes and of Nuxt's boxes. */
const ENDS = /<\/([A-Z][\w.]{0,60})>|\{\{[<%]\s{0,9}\/\s{0,9}([\w./-]{1,60})|^[ \t]{0,40}(::)[ \t]{0,9}$/gm

/** Notes which tags the text ends somewhere (`isEnded`): those without an end are text, such as `Vec<T>`. */
export function tagEnds(markdown: MarkdownIt): void {
  markdown.core.ruler.before('block', 'tag_ends', ({ src, env }) => {
    env.ended = new Set([...src.matchAll(ENDS)].map(names => names.findLast(Boolean)))
  })
}

/** Whether the text ends a component or a shortcode with this name. */
export const isEnded = ({ env }: StateBlock | StateInline, name: string): boolean =>
  (env as { ended?: ReadonlySet<string> }).ended?.has(name) ?? false

/** Adds words for programs. */
export function pushHidden(state: StateBlock | StateInline, text: string): void {
  const words = hiddenWords(text)
  if (words !== '') state.push('hidden_words', '', 0).content = words
}

/** Adds a text as a paragraph and returns its first token. `end`: the line after it. */
export function pushParagraph(state: StateBlock, content: string, line: number, end = line + 1): Token {
  const open = state.push('paragraph_open', 'p', 1)
  open.map = [line, end]
  Object.assign(state.push('inline', '', 0), { content, map: [line, end], children: [] })
  state.push('paragraph_close', 'p', -1)
  return open
}

interface Code {
  content: string
  /** The first line, and the line after the last one. */
  line: number
  end: number
}

/** Adds lines that are not Markdown: a formula, a drawn table, or text for a program. */
export function codeFound(
  state: StateBlock,
  kind: 'math' | 'program' | 'drawn',
  { content, line, end }: Code,
): FoundMarkup {
  const push = () => {
    const token = state.push('code_block', 'code', 0)
    token.content = `${content}\n`
    token.map = [line, end]
    token.attrSet('class', kind)
  }
  return { end, push }
}

/** Adds a part of a line that is not Markdown: a formula, or text for a program. */
export function pushInlineCode(state: StateInline, kind: 'math' | 'program', content: string): void {
  const token = state.push('code_inline', 'code', 0)
  token.content = content
  token.attrSet('class', kind)
}

/** An address as a link to itself. */
export function pushAddress(state: StateInline, address: string): void {
  state.push('link_open', 'a', 1).attrSet('href', address)
  state.push('text', '', 0).content = address
  state.push('link_close', 'a', -1)
}

/** "warning" as a title: "Warning". */
export const titleOf = (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase()

/** The words of text for programs, without punctuation; empty if there are none. */
export function hiddenWords(text: string): string {
  const words = text.replace(/[^\p{L}\p{N}\p{M}\s"'=._#-]/gu, ' ').trim()
  return /[\p{L}\p{N}]/u.test(words) ? words : ''
}

/** Hidden words: the page contains every word of a document. */
export const hiddenHtml = (words: string): string =>
  words === '' ? '' : `<span hidden>${escapeHtml(` ${words} `)}</span>`
