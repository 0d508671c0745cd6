import type { MarkdownIt, StateBlock } from 'markdown-it'
import { pushBox, pushHidden, titleOf } from './block-parts.js'
import { blockRule, type Found, lineAt, tokenizeInside } from './rules.js'

const HEAD = /^(!!!|\?\?\?\+?|===[!+]?) +(.{1,300})$/
const KIND = /^[a-z][\w-]*(?: [\w-]+)*$/i
const TAB = 'tab'
const INDENT = 4

/** Boxes of MkDocs, whose text is indented: `!!! note "Title"`, `???` that can be folded, and tabs, `=== "Name"`. */
export function indentedBoxes(markdown: MarkdownIt): void {
  blockRule(markdown, 'indented_box', '!?=', indentedBox)
}

function indentedBox(state: StateBlock, line: number, endLine: number): Found | null {
  const head = headOf(lineAt(state, line))
  const last = head ? endOfIndented(state, line + 1, endLine) : line
  // A tab may be empty.
  if (!head || (last === line && head.kind !== TAB)) return null
  const end = Math.max(last, line + 1)
  const push = () => {
    pushHidden(state, head.words)
    pushBox(state, { ...head, line, end }, () => tokenizeInside(state, line + 1, last, INDENT))
  }
  return { end, push }
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
