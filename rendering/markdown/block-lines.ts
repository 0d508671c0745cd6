import type { StateBlock, StateInline } from 'markdown-it'
import { hiddenWords } from './hidden-words.js'

/** Boxes in boxes; those inside are text. */
const DEEPEST = 40

/** A line without its indentation and without spaces at its end. */
export const lineAt = (state: StateBlock, line: number): string =>
  state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]).trimEnd()

/** Adds words for programs. */
export function pushHidden(state: StateBlock | StateInline, text: string): void {
  const words = hiddenWords(text)
  if (words !== '') state.push('hidden_words', '', 0).content = words
}

/** Whether a block that begins with one of these characters may be here: not in code, and not in too many others. */
export const mayBegin = (state: StateBlock, line: number, first: string): boolean =>
  first.includes(state.src.charAt((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0))) &&
  (state.sCount[line] ?? 0) - state.blkIndent < 4 &&
  state.level < DEEPEST

/** Reads lines as blocks inside of another one, which is so much further left. */
export function tokenizeInside(state: StateBlock, from: number, to: number, indent: number): void {
  const { blkIndent, lineMax, parentType } = state
  state.parentType = 'blockquote'
  state.blkIndent = blkIndent + indent
  state.lineMax = to
  state.md.block.tokenize(state, from, to)
  Object.assign(state, { blkIndent, lineMax, parentType })
}

interface Box {
  /** What its class says. */
  kind: string
  title: string
  line: number
  /** After its last line. */
  end: number
}

/** A box with a title, as callouts are. Its lines are read by `inside`. */
export function pushBox(state: StateBlock, { kind, title, line, end }: Box, inside: () => void): void {
  const open = state.push('blockquote_open', 'blockquote', 1)
  open.attrSet('class', `callout callout-${kind.toLowerCase().replace(/[^\w-]/g, '')}`)
  open.map = [line, end]
  if (title !== '') {
    const titleOpen = state.push('paragraph_open', 'p', 1)
    titleOpen.attrSet('class', 'callout-title')
    titleOpen.map = [line, line + 1]
    Object.assign(state.push('inline', '', 0), { content: title, map: [line, line + 1], children: [] })
    state.push('paragraph_close', 'p', -1)
  }
  inside()
  state.push('blockquote_close', 'blockquote', -1)
  state.line = end
}

/** "warning" as a title: "Warning". */
export const titleOf = (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase()
