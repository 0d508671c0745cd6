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
import { isOwnKey, isValue, referredTo, singularOf, wordsOf } from './table-words.js'

/** What a column is read as. */
type ColumnRole = 'name' | 'key' | 'link' | 'relation' | 'value'

export interface TableColumn {
  header: string
  /** The predicate of its relations, and its name in passages. */
  words: string
  role: ColumnRole
  /** Of links: the thing that its values identify; empty: other rows by their own address (IRI). */
  to: string
  separator: string | null
  /** The rules that decided: how much it looks like names, how its cells differ, and what it is otherwise. */
  because: { name: string; difference: string; role: string }
}

/** How a table is read, decided by its first rows. */
export interface TableReading {
  /** What a row is: `customer`. */
  thing: string
  columns: TableColumn[]
  /** Positions of the columns whose cells are a row's name, joined by a space; none: rows are numbered. */
  naming: number[]
  /** Whether each row has another name, as far as is known. */
  isNameUnique: boolean
  /** Position of the column that identifies a row, or null. */
  key: number | null
  /** Whether the first row has the names of the columns. */
  hasHeader: boolean
  /** Headers of other columns that could be the name, if it is unclear which is. */
  unclear: string[]
}

/**
 * Decides how a table is read.
 * @param name of the table: its file or sheet
 * @param rows the first ones, with the header if there is one
 * @param known `nameColumn`: the header of the column with the names, if somebody said so
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
  const found = headers.map((header, at) =>
    columnFacts(
      header,
      body.map(row => row[at] ?? '').filter(cell => cell !== ''),
    ),
  )
  const tableThing = singularOf(wordsOf(name)) || 'row'
  const key = keyOf(found, tableThing, body.length)
  const thing = (key !== null && referredTo(headers[key] ?? '')) || tableThing
  const isIri = key !== null && (found[key]?.addresses ?? 0) > 0.9
  const table = { thing, rows: body.length, isIri, hasKey: key !== null }
  const facts = found.map((column): ColumnIn => ({ ...column, ...table }))
  const { naming, unclear } = namingOf(facts, key, known.nameColumn)
  const columns = facts.map((column, at): TableColumn => {
    const { header, words, separator } = column
    const rule = ruleFor(ROLE_RULES, column)
    const role = at === key ? 'key' : naming.includes(at) ? 'name' : rule.decision
    const to = role === 'link' ? linkTo(column) : ''
    const predicate = role === 'link' && to !== '' ? (referredTo(header) ?? words) : words
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

/** Leaves out notes and sums below a table, which have few cells: they do not tell what a column is. */
function withoutNotes(rows: readonly string[][]): readonly string[][] {
  const filled = rows.map(row => row.filter(cell => cell !== '').length)
  const usual = [...filled].sort((a, b) => a - b)[filled.length >> 1] ?? 0
  let end = rows.length
  while (end > 0 && (filled[end - 1] ?? 0) * 2 <= usual) end--
  return rows.slice(0, end)
}

/** Columns of which the names of a thing are all there is to tell. */
function isUnique(naming: readonly number[], rows: readonly string[][]): boolean {
  const names = rows.map(row =>
    naming
      .map(at => row[at] ?? '')
      .join(' ')
      .toLowerCase(),
  )
  return naming.length > 0 && new Set(names).size === names.length
}

/** Every column has another name: `Column 2` where it has none, `city 2` where it has that of another. */
function headersOf(first: readonly string[], width: number): string[] {
  const seen = new Map<string, number>()
  return Array.from({ length: width }, (_, at) => {
    const header = first[at]?.slice(0, 120) || `Column ${at + 1}`
    const count = (seen.get(header) ?? 0) + 1
    seen.set(header, count)
    return count === 1 ? header : `${header} ${count}`
  })
}

/** The column that identifies each row: by its header, if its values are all there and all different. */
function keyOf(facts: readonly ColumnFacts[], thing: string, rows: number): number | null {
  const isKey = ({ filled, distinct, length }: ColumnFacts) =>
    filled === rows && distinct === rows && rows > 0 && length <= 200
  const found = facts.findIndex(
    (column, at) =>
      isKey(column) &&
      (isOwnKey(column.header) ||
        referredTo(column.header) === thing ||
        (at === 0 && referredTo(column.header) !== null)),
  )
  return found >= 0 ? found : keyBesideName(facts, rows, isKey)
}

/** Rows of which chance does not make the numbers of others all different. */
const MANY_ROWS = 20

/** `major_code` beside `major` in a table of majors, whatever it is called. */
function keyBesideName(
  facts: readonly ColumnFacts[],
  rows: number,
  isKey: (column: ColumnFacts) => boolean,
): number | null {
  if (rows < MANY_ROWS) return null
  const isNamed = (other: string | null) =>
    facts.some(column => isKey(column) && [`${other} name`, other].includes(column.words) && mayName(column))
  const found = facts.findIndex(column => isKey(column) && isNamed(referredTo(column.header)))
  return found < 0 ? null : found
}

/** Of a column whose cells differ in nine rows of ten: such rows are known by them, although some are named alike. */
const MIN_SCORE = 35

/** The columns with the names of the rows, best first by what their headers say and how their cells differ. */
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
  const scored = facts
    .map((column, at) => ({
      at,
      column,
      score: at === key || others.has(column.words) ? 0 : nameScore(column).score,
    }))
    .filter(({ score }) => score >= MIN_SCORE)
    .sort((a, b) => b.score - a.score || a.at - b.at)
  const [best, second] = scored
  const first = facts.findIndex(({ words }) => /^(?:first|given|fore) ?name$/.test(words))
  const last = facts.findIndex(({ words }) => /^(?:last|family|sur) ?name$|^surname$/.test(words))
  if (first >= 0 && last >= 0 && (best?.score ?? 0) < 100) return { naming: [first, last], unclear: [] }
  if (!best)
    return {
      naming: [],
      unclear: facts
        .filter(couldName)
        .map(({ header }) => header)
        .slice(0, 5),
    }
  const isClear = best.score >= 90 || !second || second.score <= best.score - 20
  const unclear = isClear ? [] : scored.slice(1, 6).map(({ column }) => column.header)
  return { naming: [best.at], unclear }
}

/** `customer name` beside `customer_id`, in a table of orders. */
function namesOfOthers(facts: readonly ColumnIn[]): Set<string> {
  const others = facts.flatMap(({ header, thing }) => {
    const other = referredTo(header)
    return other === null || other === thing ? [] : [other]
  })
  return new Set(others.flatMap(other => [`${other} name`, `${other}`]))
}

/** Whether a person might say that a column has the names. */
const couldName = (column: ColumnIn) =>
  mayName(column) &&
  !isValue(column.words) &&
  referredTo(column.header) === null &&
  column.distinct > column.rows / 10

/** How sure it is that a column has the names of the rows, 0 if it has not, and why. */
function nameScore(column: ColumnIn) {
  const name = ruleFor(NAME_RULES, column)
  const difference = ruleFor(DIFFERENCE_RULES, column.distinct / column.filled)
  const score = name.decision === null ? 0 : name.decision + difference.decision
  return { score, because: { name: name.because, difference: difference.because } }
}

function linkTo({ header, words, isIri, thing }: ColumnIn): string {
  if (isIri) return ''
  const to = referredTo(header) ?? ''
  return isOwn(to) || isOwn(words) ? thing : to
}

/** Whether cells of a column with addresses of rows are several. */
export const addressesIn = (cell: string): string[] => cell.split(', ').filter(isAddress)

/** What is said of a table before its rows are added. */
export interface TableSummary {
  table: string
  /** What a row is. */
  thing: string
  hasHeader: boolean
  /** Headers of the columns with the names; empty: rows are numbered. */
  naming: string[]
  /** Headers that could be the name as well. */
  unclear: string[]
  columns: { header: string; role: ColumnRole; to: string }[]
  /** The first rows as they are read. */
  rows: string[]
}

/** What a reader of tables is told, and to whom it tells how it has read them. */
export interface TableSink {
  /** The header of the column with the names. */
  nameColumn?: string
  /** The rows of tables of the same import that have been read: what identifies them, by name in `normalizeName`'s form. */
  rows: Map<string, string>
  add(summary: TableSummary): void
}
