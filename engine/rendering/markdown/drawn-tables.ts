import type { MarkdownIt, StateBlock } from 'markdown-it'
import { codeFound, lineAt } from './rules.js'

/** Maximum lines of a table; longer ones are text. */
const MAX_LINES = 5_000
/** `+---+:===:+`, or of Org mode `|---+---|`. */
const GRID = /^[+|][-=:+| ]{2,}$/
/** A rule with a gap between columns: `---- ---`, in reStructuredText `==== ===`. */
const GAPPED = /^(?:-{2,}(?:[ \t]+-{2,})+|={2,}(?:[ \t]+={2,})+)$/
/** The rule around a table with rows of several lines. */
const FRAME = /^-{5,}$/

/** Tables drawn with characters (Pandoc, reStructuredText, Org mode), shown as they are. */
export function drawnTables(markdown: MarkdownIt): void {
  markdown.block.ruler.before('table', 'drawn_table', (state, line, endLine, silent) => {
    const end = endOf(state, line, Math.min(endLine, line + MAX_LINES))
    if (end === null) return false
    if (silent) return true
    const content = state.getLines(line, end, state.blkIndent, false)
    codeFound(state, 'drawn', { content, line, end }).push()
    state.line = end
    return true
  })
}

/** The line after the table that begins on `line`, or null. */
function endOf(state: StateBlock, line: number, endLine: number): number | null {
  const isEnd = (at: number) => at >= endLine || (state.sCount[at] ?? 0) < state.blkIndent
  const until = (from: number, isLast: (text: string) => boolean) => {
    let at = from
    while (!isEnd(at) && !isLast(lineAt(state, at))) at++
    return at
  }
  const [first, second] = [line, line + 1].map(at => (isEnd(at) ? '' : lineAt(state, at)))
  if (first === undefined || first === '' || second === undefined || second === '') return null
  const isGrid = first.startsWith('+') ? GRID.test(first) : second.includes('-+-') && GRID.test(second)
  if (isGrid && /^[+|]/.test(first)) return until(line, text => !/^[+|]/.test(text))
  const isBlank = (text: string) => text === ''
  if (GAPPED.test(first) || GAPPED.test(second)) {
    const end = until(line, isBlank)
    return end > line + 2 ? end : null
  }
  const rule = FRAME.test(first) ? until(line + 1, text => text === '' || GAPPED.test(text)) : endLine
  const end = until(rule, text => FRAME.test(text))
  return isEnd(rule) || isEnd(end) || lineAt(state, rule) === '' ? null : end + 1
}
