import { type ColumnFacts, columnFacts, isAddress } from './table-column.js'
import { headerRule } from './table-header.js'
import {
  type ColumnIn,
  DIFFERENCE_RULES,
  isOwn,
  mayName,
  NAME_RULES,
  ROLE_RULES,
  ruleFor,
} from './table-rules.js'
import { isOwnKey, isValue, singularOf, wordsOf } from './table-words.js'

/** How a column is read. */
type ColumnRole = 'name' | 'key' | 'link' | 'relation' | 'value'

export interface TableColumn {
  header: string
  /** The predicate of its relations, and its name in passages. */
  words: string
  role: ColumnRole
  /** For links: the type of the target; empty if the values are the rows' own IRIs. */
  to: string
  separator: string | null
  /** The deciding rules: how likely it contains names, how distinct its cells are, and how it is read if not as a name. */
  because: { name: string; difference: string; role: string }
}

/** How a table is read, decided by its first rows. */
export interface TableReading {
  /** The type of a row: `customer`. */
  thing: string
  columns: TableColumn[]
  /** Positions of the columns that form a row's name, joined by a space; empty if rows are numbered. */
  naming: number[]
  /** Whether the names of the first rows are all different. */
  isNameUnique: boolean
  /** Position of the column that identifies a row, or null. */
  key: number | null
  /** Whether the first row contains the column names. */
  hasHeader: boolean
  /** Headers of other possible name columns, if the choice is unclear. */
  unclear: string[]
}

/**
 * Decides how a table is read.
 * @param name the name of the table: its file or sheet
 * @param rows the first rows, including the header if there is one
 * @param known `nameColumn`: the header of the name column, if the user chose one
 */
export function readingOf(
  name: string,
  rows: readonly string[][],
  known: { nameColumn?: string | undefined; hasHeader?: boolean } = {},
): TableReading {
  const hasHeader = known.hasHeader || headerRule(rows).decision
  const width = Math.max(...rows.map(row => row.length))
  const headers = headersOf(hasHeader ? (rows[0] ?? []) : [], width)
  const body = withoutNotes(hasHeader ? rows.slice(1) : rows)
  const filledIn = (at: number) => body.flatMap(row => row[at] || [])
  const found = headers.map((header, at) => columnFacts(header, filledIn(at)))
  const tableThing = singularOf(wordsOf(name)) || 'row'
  const key = keyOf(found, tableThing, body.length)
  const thing = (key !== null && found[key]?.refers) || tableThing
  const isIri = key !== null && (found[key]?.addresses ?? 0) > 0.9
  const table = { thing, rows: body.length, isIri, hasKey: key !== null }
  const facts = found.map((column): ColumnIn => ({ ...column, ...table }))
  const { naming, unclear } = namingOf(facts, key, known.nameColumn)
  const columns = facts.map((column, at): TableColumn => {
    const { header, words, refers, separator } = column
    const rule = ruleFor(ROLE_RULES, column)
    const role = at === key ? 'key' : naming.includes(at) ? 'name' : rule.decision
    const to = role === 'link' ? linkTo(column) : ''
    const predicate = role === 'link' && to !== '' ? (refers ?? words) : words
    return {
      header,
      words: predicate || words,
      role,
      to,
      separator: role === 'relation' || to === '' ? separator : null,
      because: { ...nameScore(column).because, role: rule.because },
    }
  })
  return { thing, columns, naming, isNameUnique: isUnique(naming, body), key, hasHeader, unclear }
}

/** Leaves out notes and sums below a table, which have few cells and do not describe the columns. */
function withoutNotes(rows: readonly string[][]): readonly string[][] {
  const filled = rows.map(row => row.filter(cell => cell !== '').length)
  const usual = [...filled].sort((a, b) => a - b)[filled.length >> 1] ?? 0
  let end = rows.length
  while (end > 0 && (filled[end - 1] ?? 0) * 2 <= usual) end--
  return rows.slice(0, end)
}

/** Whether the names of the rows are all different. */
function isUnique(naming: readonly number[], rows: readonly string[][]): boolean {
  const nameOf = (row: readonly string[]) => naming.map(at => row[at] ?? '').join(' ')
  return naming.length > 0 && new Set(rows.map(row => nameOf(row).toLowerCase())).size === rows.length
}

/** Distinct column names: `Column 2` for a missing one, `city 2` for a repeated one. */
function headersOf(first: readonly string[], width: number): string[] {
  const seen = new Map<string, number>()
  return Array.from({ length: width }, (_, at) => {
    const header = first[at]?.slice(0, 120) || `Column ${at + 1}`
    const count = (seen.get(header) ?? 0) + 1
    seen.set(header, count)
    return count === 1 ? header : `${header} ${count}`
  })
}

/** Minimum rows at which distinct numbers are unlikely to be chance. */
const MANY_ROWS = 20

/** The column that identifies the rows: complete and distinct, by its header, or as `major_code` beside `major`. */
function keyOf(facts: readonly ColumnFacts[], thing: string, rows: number): number | null {
  const keys = facts.filter(
    ({ filled, distinct, length }) => filled === rows && distinct === rows && rows > 0 && length <= 200,
  )
  const isBesideName = ({ refers }: ColumnFacts) =>
    keys.some(column => [`${refers} name`, refers].includes(column.words) && mayName(column))
  const isNamed = (column: ColumnFacts) =>
    isOwnKey(column.header) || column.refers === thing || (column === facts[0] && column.refers !== null)
  const found = keys.find(isNamed) ?? (rows < MANY_ROWS ? undefined : keys.find(isBesideName))
  return found ? facts.indexOf(found) : null
}

/** Minimum score of a name column, reached if nine of ten cells differ, so some rows may share a name. */
const MIN_SCORE = 35

/** The columns that name the rows, best first by header and distinct cells. */
function namingOf(
  facts: readonly ColumnIn[],
  key: number | null,
  wanted?: string,
): { naming: number[]; unclear: string[] } {
  const chosen = facts.findIndex(({ header, words }) =>
    [header.toLowerCase(), words].includes(wanted?.trim().toLowerCase() ?? '\0'),
  )
  if (chosen >= 0) return { naming: [chosen], unclear: [] }
  const others = namesOfOthers(facts)
  const scoreOf = (column: ColumnIn, at: number) =>
    at === key || others.has(column.words) ? 0 : nameScore(column).score
  const scored = facts
    .map((column, at) => ({ at, header: column.header, score: scoreOf(column, at) }))
    .filter(({ score }) => score >= MIN_SCORE)
    .sort((a, b) => b.score - a.score || a.at - b.at)
  const [best, second] = scored
  const first = facts.findIndex(({ words }) => /^(?:first|given|fore) ?name$/.test(words))
  const last = facts.findIndex(({ words }) => /^(?:last|family|sur) ?name$|^surname$/.test(words))
  if (first >= 0 && last >= 0 && (best?.score ?? 0) < 100) return { naming: [first, last], unclear: [] }
  const isClear = best && (best.score >= 90 || !second || second.score <= best.score - 20)
  const unclear = isClear ? [] : best ? scored.slice(1) : facts.filter(couldName)
  return { naming: best ? [best.at] : [], unclear: unclear.slice(0, 5).map(({ header }) => header) }
}

/** Names of other entities: `customer name` beside `customer_id` in a table of orders. */
function namesOfOthers(facts: readonly ColumnIn[]): Set<string> {
  const others = facts.filter(({ refers, thing }) => refers !== null && refers !== thing)
  return new Set(others.flatMap(({ refers }) => [`${refers} name`, `${refers}`]))
}

/** Whether a person might choose the column as the name. */
const couldName = (column: ColumnIn) =>
  mayName(column) && !isValue(column.words) && column.refers === null && column.distinct > column.rows / 10

/** The likelihood that a column names the rows, 0 if it does not, and the reasons. */
function nameScore(column: ColumnIn) {
  const name = ruleFor(NAME_RULES, column)
  const difference = ruleFor(DIFFERENCE_RULES, column.distinct / column.filled)
  const score = name.decision === null ? 0 : name.decision + difference.decision
  return { score, because: { name: name.because, difference: difference.because } }
}

function linkTo({ refers, words, isIri, thing }: ColumnIn): string {
  if (isIri) return ''
  const to = refers ?? ''
  return isOwn(to) || isOwn(words) ? thing : to
}

/** The addresses in a cell that may contain several. */
export const addressesIn = (cell: string): string[] => cell.split(', ').filter(isAddress)

/** Summary of a table, shown before its rows are added. */
export interface TableSummary {
  table: string
  /** The type of a row. */
  thing: string
  hasHeader: boolean
  /** Headers of the name columns; empty if rows are numbered. */
  naming: string[]
  /** Headers that could also be the name. */
  unclear: string[]
  columns: { header: string; role: ColumnRole; to: string }[]
  /** The first rows as they are read. */
  rows: string[]
}

/** Options for reading tables, and the receiver of their summaries. */
export interface TableSink {
  /** The header of the name column. */
  nameColumn?: string
  /** Rows already read from tables of the same import: their ids by normalized name (`normalizeName`). */
  rows: Map<string, string>
  add(summary: TableSummary): void
}
