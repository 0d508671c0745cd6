import { type GraphRecord, normalizeName, type Parsed } from '../../graph/index.js'
import { timeOf } from '../notes/note-properties.js'
import { partsOf } from '../notes/text.js'
import { iriKey } from '../rdf/iri-names.js'
import { baseName } from '../shared/file-name.js'
import type { SourceFile } from '../shared/format.js'
import { linkText } from '../shared/markdown-text.js'
import { checked } from '../shared/record.js'
import { isPlainValue } from './table-column.js'
import { beginOf, isNote, isSame, type TableRow } from './table-header.js'
import type { TableSummary } from './table-reading.js'
import { addressesIn, readingOf, type TableColumn, type TableReading } from './table-reading.js'
import { LIST } from './table-words.js'

/** Rows used to decide how a table is read. */
const SAMPLE = 500
/** Maximum characters of a name and of a value; longer cells are separate texts. */
const MAX_NAME_LENGTH = 300
const MAX_VALUE_LENGTH = 500
const MAX_COLUMNS = 500
const MAX_VALUES = 50
/** Maximum columns in the summary of a table. */
const MAX_REPORTED = 30
/** Maximum named rows that other tables may refer to. */
const MAX_NAMED = 50_000

/**
 * A table whose rows are entities, each with a passage of its values. Identifiers of other tables and
 * repeated values become relations (ADR 9).
 */
export class Table {
  readonly #out: Parsed[]
  #sample: TableRow[] = []
  #reading: TableReading | null = null
  #header: readonly string[] = []
  #count = 0
  /** IRIs with capital letters by their normalized id; null if a row names the entity. */
  readonly #iris = new Map<string, string | null>()
  readonly #name: string
  readonly #path: string
  readonly #file: SourceFile | undefined
  readonly #known: { hasHeader?: boolean; hasNotes?: boolean }

  /**
   * @param out receives the records
   * @param sheet the sheet name inside a file with several tables
   * @param known `hasHeader`: the first row contains the column names; `hasNotes`: there may be notes around the rows
   */
  constructor(
    out: Parsed[],
    file: SourceFile | undefined,
    sheet?: string,
    known: { hasHeader?: boolean; hasNotes?: boolean } = {},
  ) {
    this.#out = out
    this.#known = { hasNotes: true, ...known }
    const path = file?.path ?? 'table'
    this.#name = sheet ?? baseName(path)
    this.#path = sheet === undefined ? path : `${path} > ${sheet}`
    this.#file = file
  }

  add(row: TableRow): void {
    const read = { ...row, cells: row.cells.slice(0, MAX_COLUMNS).map(textOf) }
    if (read.cells.every(cell => cell === '')) return
    if (this.#reading) this.#read(read)
    else if (this.#sample.push(read) >= SAMPLE) this.#decide()
  }

  end(): void {
    if (!this.#reading && this.#sample.length > 0) this.#decide()
    for (const [id, iri] of this.#iris)
      if (iri !== null) this.#out.push(checked(1, { kind: 'entity', id, name: iri }))
    this.#iris.clear()
  }

  #decide(): void {
    const { hasHeader = false, hasNotes } = this.#known
    const { above, rows } = hasNotes ? beginOf(this.#sample) : { above: [], rows: this.#sample }
    const cells = rows.map(row => row.cells)
    const reading = readingOf(this.#name, cells, { nameColumn: this.#file?.tables?.nameColumn, hasHeader })
    this.#reading = reading
    this.#sample = []
    const from = reading.hasHeader ? 1 : 0
    if (reading.hasHeader) this.#header = cells[0] ?? []
    for (const { line, cells } of above) this.#note(line, cells)
    for (const row of rows.slice(from)) this.#read(row)
    this.#file?.tables?.add(summaryOf(this.#name, reading, cells.slice(from, from + 3)))
  }

  #read(row: TableRow): void {
    const { line, cells } = row
    const reading = this.#reading
    if (!reading || isSame(cells, this.#header)) return
    if (this.#known.hasNotes && isNote(cells, reading.columns.length)) {
      this.#note(line, cells)
      return
    }
    const count = ++this.#count
    const { thing, key, naming, isNameUnique } = reading
    const keyed = key === null ? '' : (cells[key] ?? '')
    const name = nameOf(reading, cells)
    const numbered = `${thing} ${keyed || count}`
    const own = keyed === '' || keyed.length > MAX_NAME_LENGTH ? null : rowId(thing, keyed)
    const id = own ?? (name !== '' && isNameUnique ? name : `${this.#path} ${count}`)
    const push = (record: GraphRecord) => this.#out.push(checked(line, record))
    push({ kind: 'entity', id, name: name || numbered, type: thing })
    if (own !== null && own === iriKey(keyed) && own !== keyed && this.#iris.size < MAX_NAMED)
      this.#iris.set(own, null)
    if (own !== null && naming.length > 0 && name !== '') {
      const { rows } = this.#file?.tables ?? {}
      if (isNameUnique && rows && rows.size < MAX_NAMED) rows.set(normalizeName(name), id)
      const isWord = keyed !== name && /\p{L}{2}/u.test(keyed)
      if (own !== iriKey(keyed))
        for (const alias of isWord ? [keyed, numbered] : [numbered])
          push({ kind: 'alias', entity: id, alias })
    }
    this.#describe({ id, title: name || numbered }, reading, row)
  }

  /** Adds a note above or below the rows to the whole table. */
  #note(line: number, cells: readonly string[]): void {
    const [entity, title] = [this.#path, this.#name]
    this.#out.push(checked(line, { kind: 'entity', id: entity, name: title }))
    this.#say(line, { entity, title, text: cells.filter(cell => cell !== '').join(' ') })
  }

  #say(line: number, passage: { entity: string; title: string; text: string; time?: number }): void {
    const source = this.#file?.notes ? { source: this.#file.path } : {}
    for (const text of partsOf(passage.text))
      this.#out.push(checked(line, { kind: 'passage', ...passage, text, ...source }))
  }

  /** The relations of a row, and its values as text. */
  #describe(
    { id, title }: { id: string; title: string },
    { columns }: TableReading,
    { line, cells, links }: TableRow,
  ): void {
    const values: string[] = []
    const texts: [string, string][] = []
    let time: number | undefined
    for (const [at, cell] of cells.entries()) {
      if (cell === '') continue
      const column = columns[at] ?? { ...NONE, words: `column ${at + 1}` }
      if (time === undefined && column.role === 'value' && isPlainValue(cell)) time = timeOf(cell)
      for (const record of this.#relationsOf(id, column, cell)) this.#out.push(checked(line, record))
      if (cell.length > MAX_VALUE_LENGTH) texts.push([column.words, cell])
      else {
        const link = linkText(cell, links?.get(at) ?? '')
        if (links?.has(at) && link !== null) values.push(`${column.words}: ${link}`)
        else if (column.role !== 'name') values.push(`${column.words}: ${cell.replaceAll(LIST, ', ')}`)
      }
    }
    const more = { entity: id, ...(time === undefined ? {} : { time }) }
    if (values.length > 0) this.#say(line, { ...more, title, text: values.join('\n') })
    for (const [words, text] of texts) this.#say(line, { ...more, title: `${title} > ${words}`, text })
  }

  #idOf(iri: string): string {
    const id = iriKey(iri)
    if (id !== iri && !this.#iris.has(id) && this.#iris.size < MAX_NAMED) this.#iris.set(id, iri)
    return id
  }

  #relationsOf(subject: string, column: Omit<TableColumn, 'because'>, cell: string): GraphRecord[] {
    const { role, words: predicate, to, separator } = column
    if (role !== 'link' && role !== 'relation') return []
    const relation = (object: string): GraphRecord => ({ kind: 'relation', subject, predicate, object })
    if (role === 'link' && to === '')
      return addressesIn(cell)
        .slice(0, MAX_VALUES)
        .map(iri => relation(this.#idOf(iri)))
    if (role === 'link') return cell.length > MAX_NAME_LENGTH ? [] : [relation(rowId(to, cell))]
    const values = separator === null ? [cell] : cell.split(separator)
    return values
      .map(value => value.trim().replace(/^\* /, ''))
      .filter(value => value !== '' && value.length <= MAX_NAME_LENGTH && !isPlainValue(value))
      .slice(0, MAX_VALUES)
      .map(value => relation(this.#file?.tables?.rows.get(normalizeName(value)) ?? value))
  }
}

/** Missing values as databases and programs write them. */
const NOTHING = /^(?:null|\\N|nan|#n\/a|n\/a)$/i

/** Whether a cell contains encoded binary data, such as a picture. */
const isBlob = (cell: string) => cell.length > MAX_VALUE_LENGTH && !/\s/.test(cell.slice(0, MAX_VALUE_LENGTH))

/** A page in a table exported from Notion: its name and address. */
const PAGE = / \(https:\/\/(?:www\.)?notion\.so\/[^()\s]{1,500}\)(, )?/g

/** The names of pages, separated by semicolons because names contain commas. */
const withoutPages = (cell: string): string =>
  cell.includes('notion.so/') ? cell.replace(PAGE, (_, more?: string) => (more ? '; ' : '')) : cell

/** A list in JSON, as in exports of Instapaper. */
function listed(cell: string): string {
  if (!/^\[(?:".*")?\]$/s.test(cell)) return cell
  try {
    const values: unknown[] = JSON.parse(cell)
    return values.every(value => typeof value === 'string') ? values.join(LIST) : cell
  } catch {
    return cell
  }
}

function textOf(cell: string): string {
  const value = withoutPages(listed(cell.trim()))
  return NOTHING.test(value) || isBlob(value) ? '' : value
}

const NONE = { header: '', words: '', role: 'value', to: '', separator: null } as const

function nameOf({ naming }: TableReading, cells: readonly string[]): string {
  const name = naming
    .map(at => cells[at] ?? '')
    .filter(Boolean)
    .join(' ')
    .replace(/\s+/g, ' ')
  return name.slice(0, MAX_NAME_LENGTH)
}

/** The same id in every table of an import, so that an order refers to its customer. */
const rowId = (thing: string, value: string) =>
  /^[a-z][a-z\d+.-]{1,20}:\/\//i.test(value) ? iriKey(value) : `${thing} ${value}`

function summaryOf(table: string, reading: TableReading, rows: string[][]): TableSummary {
  const { thing, hasHeader, naming, unclear, columns } = reading
  const shown = rows.map((cells, at) => {
    const facts = cells.flatMap((cell, at) => {
      const { role, words } = columns[at] ?? NONE
      if (cell === '' || role === 'name' || role === 'key') return []
      return [`${words}${role === 'value' ? ': ' : ' → '}${cell.slice(0, 60)}`]
    })
    const key = reading.key === null ? '' : (cells[reading.key] ?? '')
    return `${nameOf(reading, cells) || `${thing} ${key || at + 1}`} (${thing}): ${facts.slice(0, 8).join('; ')}`
  })
  return {
    table,
    thing,
    hasHeader,
    naming: naming.map(at => columns[at]?.header ?? ''),
    unclear,
    columns: columns
      .slice(0, MAX_REPORTED)
      .map(({ header, role, to }) => ({ header: header.slice(0, 60), role, to })),
    rows: shown,
  }
}
