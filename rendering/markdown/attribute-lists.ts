import type { MarkdownIt, StateCore, StateInline } from 'markdown-it'
import { pushHidden } from './block-lines.js'

const ITEM = `(?:[.#]{1,2}[^\\s{}"'=<>]{1,100}|[\\w:-]{1,60}=(?:"[^"\\n]{0,300}"|'[^'\\n]{0,300}'|[^\\s"'{}]{1,100}))`
/** `{ .class #id name="value" }`, and the sizes of pictures in Logseq. */
const LIST = new RegExp(`\\{:? ?(${ITEM}(?: ${ITEM}){0,20}|:?height \\d+, :width \\d+) ?\\}`, 'y')
/** Characters that are looked at. */
const LONGEST = 2000
/** How MDX names a heading: with a comment behind it. */
const MDX_ID = /\{\/\*([\w-]{1,100})\*\/\}$/
const ID = /(?:#|\bid=["']?)([^\s{}"'=<>#]{1,100})/

/** Lists of attributes behind a heading, a link, a picture or a line: for programs, so they are in the page, but not seen. */
export function attributeLists(markdown: MarkdownIt): void {
  markdown.core.ruler.after('block', 'heading_attributes', readHeadings)
  markdown.inline.ruler.before('escape', 'attributes', attributes)
}

/** The name of a heading, which links use instead of its text. */
function readHeadings({ tokens }: StateCore): void {
  tokens.forEach((token, at) => {
    const { content = '' } = tokens[at + 1] ?? {}
    const from = token.type === 'heading_open' && content.endsWith('}') ? content.lastIndexOf('{') : -1
    const [, id] =
      from === -1 ? [] : (MDX_ID.exec(content.slice(from)) ?? ID.exec(listAt(content, from)?.[1] ?? '') ?? [])
    if (id !== undefined) token.meta = { id }
  })
}

function attributes(state: StateInline, silent: boolean): boolean {
  const { src, pos, pending, tokens } = state
  if (src[pos] !== '{') return false
  const found = listAt(src, pos)
  if (!found) return false
  const end = pos + found[0].length
  const isLast = end >= state.posMax || src[end] === '\n'
  const before = tokens.at(-1)
  const isBehind = pending.trim() === '' && before !== undefined && before.type !== 'text'
  if (!isLast && !isBehind) return false
  if (!silent) pushHidden(state, found[1] ?? '')
  state.pos = end
  return true
}

function listAt(text: string, at: number): RegExpExecArray | null {
  LIST.lastIndex = 0
  return LIST.exec(text.slice(at, at + LONGEST))
}
