import {
  cellText,
  columnsOf,
  type Side,
  type TableLines,
  textBetween,
  type WrittenCell,
  type WrittenRow,
  type WrittenTable,
} from './table-lines.js'

/** `+---+:===:+`: between two rows, or below the head. */
const RULE = /^\+(?:[:=-][=-]*:?\+)+[ \t]*$/
const MAY_BEGIN = /^[ \t]{0,3}\+[:=-]/

/** `+---+---+` above, below and between rows, whose cells have several lines. */
export function gridTable(lines: TableLines): WrittenTable | null {
  const first = lines.at(0) ?? ''
  if (!MAY_BEGIN.test(first) || !RULE.test(first.trim())) return null
  const all: string[] = []
  for (let at = 0; ; at++) {
    const line = lines.at(at)?.trim() ?? ''
    if (!line.startsWith('|') && !line.startsWith('+')) break
    all.push(line)
  }
  const end = all.findLastIndex(line => RULE.test(line)) + 1
  const drawn = all.slice(0, end)
  const rules = drawn.flatMap((line, at) => (RULE.test(line) ? [at] : []))
  const borders = bordersOf(rules.map(at => columnsOf(drawn[at] ?? '')))
  const rows: WrittenRow[] = []
  for (const [at, rule] of rules.slice(0, -1).entries()) {
    const inside = drawn.slice(rule + 1, rules[at + 1])
    const cells = inside.length === 0 ? [] : cellsOf(inside, borders)
    if (!cells) return null
    if (cells.length > 0) rows.push({ line: rule + 1, cells })
  }
  if (rows.length === 0) return null
  const ruled = drawn.findIndex((line, at) => at > 0 && RULE.test(line) && line.includes('='))
  return {
    sides: sidesOf(drawn[Math.max(ruled, 0)] ?? ''),
    rows,
    head: rows.filter(({ line }) => line < ruled && ruled < end - 1).length,
    end,
  }
}

/** Where rules have a `+`: each column lies between two. */
function bordersOf(rules: readonly (readonly string[])[]): number[] {
  const borders = new Set(rules.flatMap(rule => rule.flatMap((sign, at) => (sign === '+' ? [at] : []))))
  return [...borders].sort((one, other) => one - other)
}

function sidesOf(rule: string): Side[] {
  return rule
    .split('+')
    .slice(1, -1)
    .map(part => {
      const [left, right] = [part.startsWith(':'), part.length > 1 && part.endsWith(':')]
      return left && right ? 'center' : right ? 'right' : left ? 'left' : null
    })
}

/** Null if the lines fit into no columns. */
function cellsOf(lines: readonly string[], borders: readonly number[]): WrittenCell[] | null {
  return drawnCells(lines, borders) ?? countedCells(lines, borders.length - 1)
}

/** Cells that end where every line has a bar. */
function drawnCells(lines: readonly string[], borders: readonly number[]): WrittenCell[] | null {
  const rows = lines.map(columnsOf)
  const ends = borders.flatMap((border, at) =>
    rows.every(row => row[border] === '|' || row[border] === '+') ? [{ border, at }] : [],
  )
  if (ends[0]?.at !== 0 || ends.at(-1)?.at !== borders.length - 1) return null
  return ends.slice(1).map(({ border, at }, index) => {
    const { border: from = 0, at: before = 0 } = ends[index] ?? {}
    return { text: cellText(rows.map(row => textBetween(row, from + 1, border))), span: at - before }
  })
}

/** Cells of lines that are not drawn exactly, but have as many bars as there are columns. */
function countedCells(lines: readonly string[], columns: number): WrittenCell[] | null {
  const rows = lines.map(line =>
    line
      .replace(/^[|+]|[|+][ \t]*$/g, '')
      .split(/(?<!\\)\|/)
      .map(part => part.trimEnd()),
  )
  if (rows.some(row => row.length !== columns)) return null
  return Array.from({ length: columns }, (_, at) => ({
    text: cellText(rows.map(row => row[at] ?? '')),
    span: 1,
  }))
}
