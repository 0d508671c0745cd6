import type { MarkdownIt, StateBlock, StateCore, StateInline, Token } from 'markdown-it'
import { pushHidden, pushParagraph } from './block-parts.js'
import { componentText, isMarkup } from './raw-html.js'
import { blockRule, type Found, inlineRule, lineAt } from './rules.js'

/** A tag of a component, as MDX has them: `<Note>`, `</Note>`, `<Chart data="a.csv" />`. */
const TAG =
  /^<(\/?)([A-Z][\w.]{0,60})(?:\s(?:[^<>"'{}]|"[^"]{0,500}"|'[^']{0,500}'|\{(?:[^{}]|\{[^{}]{0,200}\}){0,500}\}){0,500}?)?(\/?)>/
/** One of HTML with a value of JavaScript, which HTML does not have: `<img width={80} />`. */
const JSX_TAG =
  /^<[a-z][\w-]{0,30}(?:\s{1,20}[\w:-]{1,60}(?:=(?:"[^"]{0,500}"|'[^']{0,500}'|\{(?:[^{}]|\{[^{}]{0,200}\}){0,500}\}))?){1,30}\s{0,20}\/?>/
const JSX_VALUE = /=\{(?:[^{}]|\{[^{}]{0,200}\}){0,500}\}/g
/** Around elements that have nothing else in common. */
const FRAGMENT = /^<\/?>$/
/** A comment of MDX on a line of its own. */
const COMMENT = /^\{\/\*(.{0,2000}?)\*\/\}[ \t]*$/
/** A comment in a line. One word names the heading before it (`attribute-lists.ts`), so it is not seen. */
const IN_LINE = /^\{\/\*([^\n]{1,1000}?)\*\/\}/
const MAX_LENGTH = 1010
/** Tags of HTML around text. */
const AROUND_TEXT = /^<(?:p|div|center|section|article|aside|details|figure)(?:\s[^<>]{0,500})?>$/i
/** The title of what can be folded, whose text is Markdown as well. */
const SUMMARY = /^<summary>.{1,1000}<\/summary>$/i
/** A line that begins with text, or with the title of what can be folded. */
const TEXT = /^ {0,3}(?:[^\s<]|<summary\b)/i
const IMPORT = /import\s(?:[\w*{}$,\s]{1,1000}\sfrom\s{1,9})?(["'])[^"'\n]{1,300}\1;?[ \t]*/y
const EXPORT =
  /^export\s(?:default\s(?:[({[]|(?:async|class|function)\s|[\w$.]{1,60}(?:\(|;?$))|(?:const|let|var|(?:async\s)?function|class)\s[\w$]{1,60}[^\n]{0,500}[={(,;])/
/** Lines of one import or export. */
const MAX_LINES = 60
/** How JSX says a space at the end of a line. */
const SPACE = /^\{(?:' '|" ")\}/
const NAME = /^[\w-]+$/

/**
 * Components and comments of MDX. A tag of one takes its line only: what follows is Markdown, whereas HTML would take all up
 * to the next empty line.
 */
export function components(markdown: MarkdownIt): void {
  const before = 'html_block'
  blockRule(markdown, 'component', '<{', component, { before, alt: [...WITHIN, 'reference'] })
  blockRule(markdown, 'import', 'ie', imported, { before, alt: [] })
  inlineRule(markdown, 'component_comment', '{', comment)
  inlineRule(markdown, 'component_tag', '<', tagInLine, 'html_inline')
  markdown.core.ruler.after('inline', 'components', pair)
  markdown.renderer.rules.component_tag = (tokens, at) => componentText(tokens[at]?.content ?? '')
}

const WITHIN = ['paragraph', 'blockquote', 'list']

function tagInLine(state: StateInline, at: number): Found | null {
  const text = state.src.slice(at, at + MAX_LENGTH)
  const [all = jsxTag(text), end = '', name, isAlone = ''] = TAG.exec(text) ?? []
  if (all === undefined) return null
  const push = () => {
    if (name === undefined) pushHidden(state, all)
    // Brackets would end it for whoever reads it as HTML.
    const content =
      name === undefined ? all.replace(JSX_VALUE, value => (/[<>]/.test(value) ? '' : value)) : all
    const token = Object.assign(state.push('html_inline', '', 0), { content })
    if (name !== undefined) token.meta = { component: name, side: isAlone ? 'alone' : end ? 'end' : 'start' }
  }
  return { end: at + all.length, push }
}

function jsxTag(text: string): string | undefined {
  const tag = JSX_TAG.exec(text)?.[0]
  return tag?.includes('={') ? tag : undefined
}

/**
 * Tags that belong together, or stand alone, are those of components. Others are text: `Vec<T>`. A component may begin on
 * a line of its own and end in a line of text.
 */
function pair({ tokens }: StateCore): void {
  const open = new Map<string, Token[]>()
  for (const token of leavesOf(tokens)) {
    if (token.meta === null) continue
    const { component, side } = token.meta as { component?: string; side?: string }
    if (component === undefined) continue
    const begun = open.get(component) ?? []
    if (side === 'start') {
      begun.push(token)
      open.set(component, begun)
    } else if (side === 'alone') {
      leaveOut(token)
    } else {
      const start = begun.pop()
      if (start) [start, token].forEach(leaveOut)
    }
  }
}

function* leavesOf(tokens: readonly Token[]): Generator<Token> {
  for (const token of tokens)
    if (token.children) yield* token.children
    else yield token
}

function comment(state: StateInline, at: number): Found | null {
  const text = state.src.slice(at, at + MAX_LENGTH)
  const [space] = SPACE.exec(text) ?? []
  const [all = space, said = ''] = IN_LINE.exec(text) ?? []
  if (all === undefined) return null
  const push = () => {
    if (space !== undefined) state.push('text', '', 0).content = ' '
    else if (NAME.test(said)) pushHidden(state, said)
    else state.push('html_inline', '', 0).content = `<!--${said}-->`
  }
  return { end: at + all.length, push }
}

/** Elements of HTML in capitals, such as `<IMG>`, are left to `raw-html.ts`. */
function leaveOut(token: Token): void {
  if (token.type === 'html_inline' && !isMarkup(token.content)) token.type = 'component_tag'
}

function component(state: StateBlock, line: number): Found | null {
  const text = lineAt(state, line)
  const comment = COMMENT.exec(text)?.[1]
  const [tag, end, name, isAlone] = TAG.exec(text) ?? []
  const isSummary = SUMMARY.test(text)
  const isTag = tag === text || FRAGMENT.test(text)
  if (comment === undefined && !isTag && !isSummary && !isBeforeText(state, line, text)) return null
  const push = () => {
    if (isSummary) return void pushParagraph(state, text, line)
    const token = state.push('html_block', '', 0)
    token.content = comment === undefined ? text.replace(FRAGMENT, '') : `<!--${comment}-->`
    if (name !== undefined && !isAlone) token.meta = { component: name, side: end ? 'end' : 'start' }
    token.map = [line, line + 1]
  }
  return { end: line + 1, push }
}

/** A tag of HTML whose text is Markdown, as MDX and most writers mean it: by itself, and the text begins on the next line. */
const isBeforeText = (state: StateBlock, line: number, text: string) =>
  AROUND_TEXT.test(text) && TEXT.test(state.src.slice(state.bMarks[line + 1], state.eMarks[line + 1]))

/** What a file of MDX loads and hands out, which is for programs only: in the page, but not seen. */
function imported(state: StateBlock, line: number, endLine: number): Found | null {
  const first = lineAt(state, line)
  if (!first.startsWith('import') && !EXPORT.test(first)) return null
  const lines = state.getLines(line, Math.min(endLine, line + MAX_LINES), state.blkIndent, false)
  const all = first.startsWith('import') ? importsAt(lines) : exportAt(lines)
  return all === null ? null : { end: line + all.split('\n').length, push: () => pushHidden(state, all) }
}

/** The imports that a text begins with, to the end of their last line. */
function importsAt(text: string): string | null {
  let at = 0
  do {
    IMPORT.lastIndex = at
    if (!IMPORT.test(text)) return null
    at = IMPORT.lastIndex
  } while (at < text.length && text[at] !== '\n')
  return text.slice(0, at)
}

/** To the line on which its last bracket closes; what is in texts and comments counts, too. */
function exportAt(text: string): string | null {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if ('([{'.includes(text.charAt(at))) depth++
    if (')]}'.includes(text.charAt(at))) depth--
    if (depth < 0) return null
    if (depth === 0 && (text[at + 1] ?? '\n') === '\n') return text.slice(0, at + 1)
  }
  return null
}
