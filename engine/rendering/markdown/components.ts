import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it'
import { pushPlace } from './attributes.js'
import { componentText, isMarkup } from './raw-html.js'
import {
  blockRule,
  type FoundMarkup,
  inlineRule,
  isEnded,
  lineAt,
  pushHidden,
  pushParagraph,
  showTokens,
} from './rules.js'

/** A tag of an MDX component, `<Note>`, `<Chart data="a.csv" />`, or of HTML with a JavaScript value, `<img width={80} />`. */
const TAG =
  /^<(\/?)([a-zA-Z][\w.-]{0,60})(?:\s(?:[^<>"'{}]|"[^"]{0,500}"|'[^']{0,500}'|\{(?:[^{}]|\{[^{}]{0,200}\}){0,500}\}){0,500}?)?(\/?)>/
const JSX_VALUE = /=\{(?:[^{}]|\{[^{}]{0,200}\}){0,500}\}/g
/** A fragment of JSX. */
const FRAGMENT = /^<\/?>$/
/** A comment of MDX on a line of its own. */
const COMMENT = /^\{\/\*(.{0,2000}?)\*\/\}[ \t]*$/
/** A comment in a line. One word is the id of the heading before it, so it is not seen. */
const IN_LINE = /^\{\/\*([^\n]{1,1000}?)\*\/\}/
const MAX_LENGTH = 1010
/** Tags of HTML around text. */
const AROUND_TEXT = /^<(?:p|div|center|section|article|aside|details|figure)(?:\s[^<>]{0,500})?>$/i
/** The title of a foldable part, which is also Markdown. */
const SUMMARY = /^<summary>.{1,1000}<\/summary>$/i
/** The attributes of a tag of HTML before text on its line. With `markdown`, as in kramdown, the text is Markdown. */
const BEFORE_TEXT = /^<[a-z]{1,20}\s([^<>]{1,500})>./i
/** A line that begins with text or with the title of a foldable part. */
const TEXT = /^ {0,3}(?:[^\s<]|<summary\b)/i
/** The beginning of an import, and of an export. */
const IMPORT = /^import\s(?:[\w*{}$,\s]*\sfrom\s{1,9})?["']/
const EXPORT =
  /^export\s(?:default\s(?:[({[]|(?:async|class|function)\s|[\w$.]{1,60}(?:\(|;?\n))|(?:const|let|var|(?:async\s)?function|class)\s[\w$]{1,60}[^\n]{0,500}[={(,;])/
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
  blockRule(markdown, 'statement', 'ie', statement, { before, alt: [] })
  inlineRule(markdown, 'component_comment', '{', comment)
  inlineRule(markdown, 'component_tag', '<', tagInLine, 'html_inline')
  showTokens(markdown, { component_tag: ({ content }) => componentText(content) })
}

const WITHIN = ['paragraph', 'blockquote', 'list']

function tagInLine(state: StateInline, at: number): FoundMarkup | null {
  const text = state.src.slice(at, at + MAX_LENGTH)
  const [all, , name = '', isAlone] = TAG.exec(text) ?? []
  const isHtml = isMarkup(text)
  // Without an end it is text: `Vec<T>`.
  const isTag = isHtml ? all?.includes('={') : /^[A-Z]/.test(name) && (isAlone || isEnded(state, name))
  if (all === undefined || !isTag) return null
  const push = () => {
    if (isHtml) pushHidden(state, all)
    const token = state.push(isHtml ? 'html_inline' : 'component_tag', '', 0)
    // Readers of HTML would end it at a bracket.
    token.content = isHtml ? all.replace(JSX_VALUE, value => (/[<>]/.test(value) ? '' : value)) : all
  }
  return { end: at + all.length, push }
}

function comment(state: StateInline, at: number): FoundMarkup | null {
  const text = state.src.slice(at, at + MAX_LENGTH)
  const [space] = SPACE.exec(text) ?? []
  const [all = space, said = ''] = IN_LINE.exec(text) ?? []
  if (all === undefined) return null
  const push = () => {
    if (space !== undefined) state.push('text', '', 0).content = ' '
    else if (!NAME.test(said)) state.push('html_inline', '', 0).content = `<!--${said}-->`
    else {
      pushPlace(state, said)
      pushHidden(state, said)
    }
  }
  return { end: at + all.length, push }
}

function component(state: StateBlock, line: number): FoundMarkup | null {
  const text = lineAt(state, line)
  const comment = COMMENT.exec(text)?.[1]
  const [tag, , name = ''] = TAG.exec(text) ?? []
  const isSummary = SUMMARY.test(text) || /\bmarkdown\b/.test(BEFORE_TEXT.exec(text)?.[1] ?? '')
  const isTag = (tag === text && /^[A-Z]/.test(name)) || FRAGMENT.test(text)
  if (comment === undefined && !isTag && !isSummary && !isBeforeText(state, line, text)) return null
  const push = () => {
    if (isSummary) return void pushParagraph(state, text, line)
    const token = state.push('html_block', '', 0)
    token.content = comment === undefined ? text.replace(FRAGMENT, '') : `<!--${comment}-->`
    token.map = [line, line + 1]
  }
  return { end: line + 1, push }
}

/** An HTML tag with Markdown inside, as MDX and most authors mean it: alone on its line, with the text on the next one. */
const isBeforeText = (state: StateBlock, line: number, text: string) =>
  AROUND_TEXT.test(text) && TEXT.test(state.src.slice(state.bMarks[line + 1], state.eMarks[line + 1]))

/** Imports and exports of MDX, which are only for programs: hidden in the page, up to the line on which the last bracket closes. */
function statement(state: StateBlock, line: number, endLine: number): FoundMarkup | null {
  const lines = state.getLines(line, Math.min(endLine, line + MAX_LINES), state.blkIndent, false)
  if (!IMPORT.test(lines) && !EXPORT.test(`${lines}\n`)) return null
  let depth = 0
  for (let at = 0; at < lines.length; at++) {
    // Those in strings and comments count.
    if ('([{'.includes(lines.charAt(at))) depth++
    if (')]}'.includes(lines.charAt(at))) depth--
    if (depth < 0) return null
    if (depth > 0 || (lines[at + 1] ?? '\n') !== '\n') continue
    const all = lines.slice(0, at + 1)
    return { end: line + all.split('\n').length, push: () => pushHidden(state, all) }
  }
  return null
}
