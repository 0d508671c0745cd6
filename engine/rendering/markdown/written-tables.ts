import type { MarkdownIt, StateBlock, StateCore, Token } from 'markdown-it'
import { gridTable } from './grid-tables.js'
import { lineAt, matchAt } from './rules.js'
import { spacedTable } from './spaced-tables.js'
import { type Side, TableLines, type WrittenRow, type WrittenTable } from './table-lines.js'

/** Lines of a table; longer ones are text. */
const MAX_LINES = 5_000
/** Tables in cells of tables. */
const MAX_DEPTH = 2
/** `Table: what it shows`, or only the colon, behind a table. */
const CAPTION = /^(?:[Tt]able)?:[ \t]+(?=\S)/
const ORG_RULE = /^\|(?:[ :]*-[- :]*[|+])+[ \t]*$/

/** What begins one of these tables, at their first line or at the rule below their head. */
const DRAWN = /\+[:=-]|--|==/y
const RULED = /--|==/y

/** Where the last drawn table that was none has ended: no other is looked for before it. */
const failed = new WeakMap<StateBlock, number>()
let depth = 0

/**
 * Tables that Pandoc and reStructuredText draw with characters (grid, simple and multiline tables), those of Org, whose rule has
 * a `+` between its columns, and the captions of tables. What is not quite such a table stays text.
 */
export function writtenTables(markdown: MarkdownIt): void {
  markdown.block.ruler.before('table', 'written_table', writtenTable)
  markdown.core.ruler.after('block', 'captions', captions)
}

function writtenTable(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  if (depth > MAX_DEPTH) return false
  const isDrawn = begins(state, line, DRAWN)
  if (isDrawn ? line < (failed.get(state) ?? 0) : line + 1 >= endLine || !begins(state, line + 1, RULED))
    return orgTable(state, line, endLine, silent)
  const lines = new TableLines(state, line, Math.min(endLine, line + MAX_LINES))
  const table = gridTable(lines) ?? spacedTable(lines)
  if (!table && isDrawn) failed.set(state, line + lines.read)
  if (!table) return false
  if (silent) return true
  pushTable(state, line, table)
  state.line = line + table.end
  return true
}

const begins = ({ src, bMarks, tShift }: StateBlock, line: number, what: RegExp) =>
  matchAt(what, src, (bMarks[line] ?? 0) + (tShift[line] ?? 0)) !== null

function pushTable(state: StateBlock, line: number, { sides, rows, head, end }: WrittenTable): void {
  const lineOf = (row: number) => line + (rows[row]?.line ?? end)
  const wrap = (name: string, tag: string, from: number, to: number, inside: () => void) => {
    state.push(`${name}_open`, tag, 1).map = [from, to]
    inside()
    state.push(`${name}_close`, tag, -1)
  }
  const pushRows = (from: number, to: number, tag: string) => {
    for (let at = from; at < to; at++)
      wrap('tr', 'tr', lineOf(at), lineOf(at + 1), () => pushCells(state, rows[at], sides, tag, line))
  }
  wrap('table', 'table', line, line + end, () => {
    if (head > 0) wrap('thead', 'thead', lineOf(0), lineOf(head), () => pushRows(0, head, 'th'))
    if (head < rows.length)
      wrap('tbody', 'tbody', lineOf(head), line + end, () => pushRows(head, rows.length, 'td'))
  })
}

function pushCells(
  state: StateBlock,
  row: WrittenRow | undefined,
  sides: readonly Side[],
  tag: string,
  first: number,
): void {
  let column = 0
  for (const { text, span } of row?.cells ?? []) {
    const open = state.push(`${tag}_open`, tag, 1)
    const side = sides[column]
    if (side) open.attrSet('style', `text-align:${side}`)
    if (span > 1) open.attrSet('colspan', String(span))
    pushBlocks(state, text, first + (row?.line ?? 0))
    state.push(`${tag}_close`, tag, -1)
    column += span
  }
}

/** A single paragraph is only its line. */
function pushBlocks(state: StateBlock, text: string, line: number): void {
  const tokens: Token[] = []
  depth++
  try {
    state.md.block.parse(text, state.md, state.env, tokens)
  } finally {
    depth--
  }
  const isOne = tokens.length === 3 && tokens[0]?.type === 'paragraph_open'
  for (const token of tokens) {
    token.level += state.level
    // Places of passages are the rows.
    token.map = token.map && [line, line + 1]
    if (isOne && token.type !== 'inline') token.hidden = true
    state.tokens.push(token)
  }
}

/** As a table of pipes, without the rules between its rows. */
function orgTable(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  const isRow = (at: number) =>
    at < endLine && (state.sCount[at] ?? 0) >= state.blkIndent && lineAt(state, at).startsWith('|')
  if (!isRow(line) || !isRow(line + 1)) return false
  const rule = lineAt(state, line + 1)
  if (!rule.includes('+') || !ORG_RULE.test(rule)) return false
  if (silent) return true
  let end = line
  const rows: string[] = []
  for (; isRow(end); end++) {
    const text = lineAt(state, end)
    if (end <= line + 1 || !ORG_RULE.test(text))
      rows.push(end === line + 1 ? text.replaceAll('+', '|') : text)
  }
  pushBlocks(state, rows.join('\n'), line)
  state.line = end
  return true
}

/** The paragraph behind a table that says what it shows. */
function captions({ tokens }: StateCore): void {
  for (const [at, token] of tokens.entries()) {
    const text = tokens[at + 2]
    if (token.type !== 'table_close' || tokens[at + 1]?.type !== 'paragraph_open' || !text) continue
    if (!CAPTION.test(text.content)) continue
    text.content = text.content.replace(CAPTION, '')
    tokens[at + 1]?.attrJoin('class', 'caption')
  }
}
