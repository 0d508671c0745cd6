import type { MarkdownIt, StateBlock } from 'markdown-it'
import { lineAt, mayBegin, tokenizeInside } from './block-lines.js'
import { pushBox, pushHidden, titleOf } from './block-parts.js'

const HEAD = /^(!!!|\?\?\?\+?|===[!+]?) +(.{1,300})$/
const KIND = /^[a-z][\w-]*(?: [\w-]+)*$/i
const TAB = 'tab'
const INDENT = 4

/** Boxes of MkDocs, whose text is indented: `!!! note "Title"`, `???` that can be folded, and tabs, `=== "Name"`. */
export function indentedBoxes(markdown: MarkdownIt): void {
  markdown.block.ruler.before('fence', 'indented_box', indentedBox, {
    alt: ['paragraph', 'blockquote', 'list'],
  })
}

function indentedBox(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  const head = mayBegin(state, line, '!?=') ? headOf(lineAt(state, line)) : null
  const end = head ? endOfIndented(state, line + 1, endLine) : line
  // A tab may be empty.
  if (!head || (end === line && head.kind !== TAB)) return false
  if (silent) return true
  pushHidden(state, head.words)
  pushBox(state, { ...head, line, end: Math.max(end, line + 1) }, () =>
    tokenizeInside(state, line + 1, end, INDENT),
  )
  return true
}

/** The first line of a box; `words` are those that its title does not have. */
function headOf(line: string): { kind: string; title: string; words: string } | null {
  const [, mark = '', rest = ''] = HEAD.exec(line) ?? []
  if (mark === '') return null
  const quote = rest.indexOf('"')
  const title = quote !== -1 && rest.endsWith('"') ? rest.slice(quote + 1, -1) : null
  if (mark.startsWith('=')) return quote === 0 && title !== null ? { kind: TAB, title, words: '' } : null
  const words = (title === null ? rest : rest.slice(0, quote)).trim()
  if (!KIND.test(words)) return null
  const [kind = '', ...others] = words.split(' ')
  return title === null ? { kind, title: titleOf(kind), words: others.join(' ') } : { kind, title, words }
}

/** After the last indented line; the line before `from` if there is none. */
function endOfIndented(state: StateBlock, from: number, endLine: number): number {
  let end = from - 1
  for (let line = from; line < endLine; line++) {
    if (state.isEmpty(line)) continue
    if ((state.sCount[line] ?? 0) - state.blkIndent < INDENT) break
    end = line + 1
  }
  return end
}
