import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it'

/** Boxes in boxes; those inside are text. */
const MAX_DEPTH = 40

/** What has been recognized: where it ends, and what makes its tokens. */
export interface Found {
  /** The line after it; of a part of a line, the place after it. */
  end: number
  push(): void
}

/** A line without its indentation and without spaces at its end. */
export const lineAt = (state: StateBlock, line: number): string =>
  state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]).trimEnd()

/** Whether a block that begins with one of these characters may be here: not in code, and not in too many others. */
const mayBegin = (state: StateBlock, line: number, first: string): boolean =>
  first.includes(state.src.charAt((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0))) &&
  (state.sCount[line] ?? 0) - state.blkIndent < 4 &&
  state.level < MAX_DEPTH

/**
 * Adds a rule for blocks that begin with one of the characters `first`. It comes before `before`, and what it finds ends the
 * blocks in `alt`.
 */
export function blockRule(
  markdown: MarkdownIt,
  name: string,
  first: string,
  find: (state: StateBlock, line: number, endLine: number) => Found | null,
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

/** Adds a rule for parts of lines that begin with one of the characters `first`; it comes before `before`. */
export function inlineRule(
  markdown: MarkdownIt,
  name: string,
  first: string,
  find: (state: StateInline, at: number) => Found | null,
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

/** What a sticky pattern finds at a place of a text. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Reads lines as blocks inside of another one, which is so much further left. */
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

/** Whether the line that begins or ends a block does so, and by which name the two belong together; null for other lines. */
type Edge = { name: string; isEnd: boolean } | null

/** The lines on which blocks end, by those on which they begin: of the whole text, which is read once. */
export function endsOf(
  { src, env }: StateBlock,
  kind: string,
  edgeOf: (line: string) => Edge,
): ReadonlyMap<number, number> {
  const known = env as Record<string, ReadonlyMap<number, number> | undefined>
  const before = known[kind]
  if (before) return before
  const ends = new Map<number, number>()
  const open = new Map<string, number[]>()
  for (const [line, text] of src.split('\n').entries()) {
    const edge = edgeOf(text)
    if (!edge) continue
    const begun = open.get(edge.name) ?? []
    open.set(edge.name, begun)
    const from = edge.isEnd ? begun.pop() : undefined
    if (from !== undefined) ends.set(from, line)
    if (!edge.isEnd) begun.push(line)
  }
  known[kind] = ends
  return ends
}
