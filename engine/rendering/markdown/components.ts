import type { MarkdownIt, StateBlock, StateCore, StateInline, Token } from 'markdown-it'
import { pushHidden, pushParagraph } from './block-parts.js'
import { componentText, isMarkup } from './raw-html.js'
import { blockRule, type Found, inlineRule, lineAt } from './rules.js'

/** A tag of an MDX component: `<Note>`, `</Note>`, `<Chart data="a.csv" />`. */
const TAG =
  /^<(\/?)([A-Z][\w.]{0,60})(?:\s(?:[^<>"'{}]|"[^"]{0,500}"|'[^']{0,500}'|\{(?:[^{}]|\{[^{}]{0,200}\}){0,500}\}){0,500}?)?(\/?)>/
/** An HTML tag with a JavaScript value: `<img width={80} />`. */
const JSX_TAG =
  /^<[a-z][\w-]{0,30}(?:\s{1,20}[\w:-]{1,60}(?:=(?:"[^"]{0,500}"|'[^']{0,500}'|\{(?:[^{}]|\{[^{}]{0,200}\}){0,500}\}))?){1,30}\s{0,20}\/?>/
const JSX_VALUE = /=\{(?:[^{}]|\{[^{}]{0,200}\}){0,500}\}/g
/** A fragment of JSX. */
const FRAGMENT = /^<\/?>$/
/** A comment of MDX on a line of its own. */
const COMMENT = /^\{\/\*(.{0,2000}?)\*\/\}[ \t]*$/
/** A comment in a line. One word names the heading before it (`attribute-lists.ts`), so it is not seen. */
const IN_LINE = /^\{\/\*([^\n]{1,1000}?)\*\/\}/
const MAX_LENGTH = 1010
/** Tags of HTML around text. */
const AROUND_TEXT = /^<(?:p|div|center|section|article|aside|details|figure)(?:\s[^<>]{0,500})?>$/i
/** The title of a foldable part, which is also Markdown. */
const SUMMARY = /^<summary>.{1,1000}<\/summary>$/i
/** A line that begins with text or with the title of a foldable part. */
const TEXT = /^ {0,3}(?:[^\s<]|<summary\b)/i
const IMPORT = /import\s(?:[\w*{}$,\s]{1,1000}\sfrom\s{1,9})?(["'])[^"'\n]{1,300}\1;?[ \t]*/y
const EXPORT =
  /^export\s(?:default\s(?:[({[]|(?:async|class|function)\s|[\w$.]{1,60}(?:\(|;?$))|(?:const|let|var|(?:async\s)?function|class)\s[\w$]{1,60}[^\n]{0,500}[={(,;])/
/** Maximum lines of an import or export. */
const MAX_LINES = 60
/** A space at the end of a line in JSX. */
const SPACE = /^\{(?:' '|" ")\}/
const NAME = /^[\w-]+$/

/**
 * Components and comments of MDX. A component's tag takes only its line, and the next line is Markdown again. HTML would take
 * everything up to the next empty line.
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
    // Readers of HTML would end it at a bracket.
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
 * Finds tags that form a pair or close themselves: those of components. Others are text: `Vec<T>`. A component may begin on
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

/** An HTML tag with Markdown inside, as MDX and most authors mean it: alone on its line, with the text on the next one. */
const isBeforeText = (state: StateBlock, line: number, text: string) =>
  AROUND_TEXT.test(text) && TEXT.test(state.src.slice(state.bMarks[line + 1], state.eMarks[line + 1]))

/** Imports and exports of MDX, which are only for programs: hidden in the page. */
function imported(state: StateBlock, line: number, endLine: number): Found | null {
  const first = lineAt(state, line)
  if (!first.startsWith('import') && !EXPORT.test(first)) return null
  const lines = state.getLines(line, Math.min(endLine, line + MAX_LINES), state.blkIndent, false)
  const all = first.startsWith('import') ? importsAt(lines) : exportAt(lines)
  return all === null ? null : { end: line + all.split('\n').length, push: () => pushHidden(state, all) }
}

/** The imports at the beginning of a text, up to the end of their last line. */
function importsAt(text: string): string | null {
  let at = 0
  do {
    IMPORT.lastIndex = at
    if (!IMPORT.test(text)) return null
    at = IMPORT.lastIndex
  } while (at < text.length && text[at] !== '\n')
  return text.slice(0, at)
}

/** The text up to the line on which its last bracket closes. Brackets in strings and comments count. */
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
