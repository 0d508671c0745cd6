import type { StateBlock } from 'markdown-it'

/** Boxes in boxes; those inside are text. */
const DEEPEST = 40

/** A line without its indentation and without spaces at its end. */
export const lineAt = (state: StateBlock, line: number): string =>
  state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]).trimEnd()

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
