import {
  cellText,
  columnsOf,
  type Side,
  type TableLines,
  textBetween,
  type WrittenRow,
  type WrittenTable,
} from './table-lines.js'

interface Column {
  from: number
  /** After its last dash. */
  to: number
}

/** A rule with a gap between its columns: `---- ---`, or in reStructuredText `==== ===`. */
const RULE = /^[ \t]{0,100}(?:-{2,}(?:[ \t]{1,50}-{2,}){1,100}|={2,}(?:[ \t]{1,50}={2,}){1,100})[ \t]*$/
/** Around a table whose rows have several lines. */
const FRAME = /^[ \t]{0,3}-{5,}[ \t]*$/
const MAY_BEGIN = /^[ \t]{0,100}(?:--|==)/
const MAX_HEAD_LINES = 20

/** Tables of Pandoc and reStructuredText whose columns are what stands below each other. */
export function spacedTable(lines: TableLines): WrittenTable | null {
  const first = lines.at(0) ?? ''
  const second = lines.at(1) ?? ''
  if (FRAME.test(first)) return framedTable(lines)
  if (MAY_BEGIN.test(first) && RULE.test(first)) return ruledTable(lines)
  return MAY_BEGIN.test(second) && RULE.test(second) && first.trim() !== '' ? simpleTable(lines) : null
}

/** One line of head, a rule, rows of one line each, and an empty line. */
function simpleTable(lines: TableLines): WrittenTable | null {
  const columns = columnsIn(lines.at(1) ?? '')
  const to = linesUntil(lines, 2, line => line.trim() === '')
  if (to === 2 || columns.length < 2) return null
  const rule = RULE.test(lines.at(to - 1) ?? '') ? 1 : 0
  return tableOf(lines, columns, [1, 2, to - rule], to)
}

/** A rule above and below. In reStructuredText there is another one below the head; Pandoc has none. */
function ruledTable(lines: TableLines): WrittenTable | null {
  const columns = columnsIn(lines.at(0) ?? '')
  if ((lines.at(1) ?? '').trim() === '') return null
  const rules = [0]
  let to = 1
  for (; ; to++) {
    const line = lines.at(to)
    if (line === null) return null
    if (RULE.test(line)) rules.push(to)
    const isLast = RULE.test(line) && (lines.at(to + 1) ?? '').trim() === ''
    if (isLast) break
  }
  const [, middle = to] = rules
  if (rules.length > 3) return null
  if (rules.length === 3) return tableOf(lines, columns, [middle, middle + 1, to], to + 1, 1)
  return tableOf(lines, columns, [0, 1, to], to + 1)
}

/** Between two long rules. An empty line ends a row. */
function framedTable(lines: TableLines): WrittenTable | null {
  const middle = linesUntil(lines, 1, line => line.trim() === '' || RULE.test(line))
  if (middle === 1 || middle > MAX_HEAD_LINES || !RULE.test(lines.at(middle) ?? '')) return null
  const to = linesUntil(lines, middle + 1, line => FRAME.test(line))
  if (lines.at(to) === null || (lines.at(to + 1) ?? '').trim() !== '') return null
  return tableOf(lines, columnsIn(lines.at(middle) ?? ''), [middle, middle + 1, to], to + 1, 1)
}

/** The first line from `from` on that is the one, or after all. */
function linesUntil(lines: TableLines, from: number, isEnd: (line: string) => boolean): number {
  let at = from
  for (let line = lines.at(at); line !== null && !isEnd(line); line = lines.at(++at));
  return at
}

/** `headFrom`: its first line; the head ends at the first of `parts`, the rows go from the second to the third. */
function tableOf(
  lines: TableLines,
  columns: readonly Column[],
  [headTo, from, to]: readonly [number, number, number],
  end: number,
  headFrom = 0,
): WrittenTable | null {
  const read = (at: number) => columnsOf(lines.at(at) ?? '')
  const linesOf = (first: number, last: number) => Array.from({ length: last - first }, (_, at) => first + at)
  const headLines = linesOf(headFrom, headTo)
  const rowLines = linesOf(from, to)
  if (![...headLines, ...rowLines].every(at => fits(read(at), columns))) return null
  const hasEmpty = rowLines.some(at => read(at).every(isSpace))
  const groups = hasEmpty ? grouped(rowLines, at => read(at).every(isSpace)) : rowLines.map(at => [at])
  const rowOf = (group: readonly number[]): WrittenRow => ({
    line: group[0] ?? 0,
    cells: columns.map(({ from }, at) => {
      const next = columns[at + 1]?.from
      return {
        text: cellText(group.map(line => textBetween(read(line), at === 0 ? 0 : from, next))),
        span: 1,
      }
    }),
  })
  const head = headLines.length > 0 ? [rowOf(headLines)] : []
  const rows = groups.map(rowOf)
  // Otherwise it is text that happens to stand between two rules.
  if (
    rows.filter(({ cells }) => cells.filter(({ text }) => text.trim() !== '').length > 1).length * 2 <
    rows.length
  )
    return null
  const sample = read(headLines[0] ?? rowLines[0] ?? 0)
  return {
    sides: columns.map(column => sideOf(sample, column)),
    rows: [...head, ...rows],
    head: head.length,
    end,
  }
}

function grouped(lines: readonly number[], isEmpty: (line: number) => boolean): number[][] {
  const groups: number[][] = [[]]
  for (const line of lines) {
    if (!isEmpty(line)) groups.at(-1)?.push(line)
    else if (groups.at(-1)?.length) groups.push([])
  }
  return groups.filter(group => group.length > 0)
}

/** Whether no word goes from one column into the next. */
const fits = (row: readonly string[], columns: readonly Column[]) =>
  columns.slice(1).every(({ from }) => isSpace(row[from - 1] ?? ' ') || isSpace(row[from] ?? ' '))

/** As Pandoc sees it: by the side on which a head is flush with its rule. */
function sideOf(head: readonly string[], { from, to }: Column): Side {
  const [isLeft, isRight] = [!isSpace(head[from] ?? ' '), !isSpace(head[to - 1] ?? ' ')]
  if (isLeft === isRight) return isLeft ? null : 'center'
  return isLeft ? null : 'right'
}

function columnsIn(rule: string): Column[] {
  return [...rule.matchAll(/[-=]+/g)].map(({ 0: dashes, index }) => ({
    from: index,
    to: index + dashes.length,
  }))
}

const isSpace = (sign: string) => sign === ' ' || sign === '\t'
