import type { Parsed } from '../../graph/index.js'
import type { Format, SourceFile } from '../shared/format.js'
import { withAllDigits } from '../shared/json.js'
import { readLines, readParts } from '../shared/lines.js'
import { type JsonItem, jsonItems } from './json-parts.js'
import { quoted } from './sheets.js'
import { Table } from './table.js'

/** A table with one row per JSON object. */
const jsonTable = (
  about: Pick<Format, 'id' | 'title' | 'extensions' | 'begins'>,
  itemsOf: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<JsonItem[]>,
): Format => ({
  ...about,
  mayBeLegacy: true,
  isRewritten: true,
  parse: (bytes, file) => readParts(itemsOf(bytes), new JsonRows(file)),
})

/** A JSON list of objects, as in data exports of services. */
export const jsontable = jsonTable(
  { id: 'jsontable', title: 'Table (JSON)', extensions: ['json'], begins: /^\[\s{0,200}\{/ },
  jsonItems,
)

/** One object per line (JSON Lines), as in logs. */
export const jsonlines = jsonTable(
  { id: 'jsonlines', title: 'Table (JSON Lines)', extensions: ['jsonl', 'ndjson'], begins: /^\{/ },
  readLines,
)

/** Maximum rows and characters used to find the columns; later members keep their name in the cell. */
const SAMPLE = 500
const SAMPLE_CHARACTERS = 1_000_000
const MAX_COLUMNS = 400
/** Maximum depth of objects whose members become columns: `address city`. */
const MAX_LEVELS = 4
/** Maximum depth of a value. */
const MAX_DEPTH = 100

type Row = ReadonlyMap<string, string>

class JsonRows {
  readonly #out: Parsed[] = []
  readonly #table: Table
  readonly #document: SourceFile['document']
  #sample: { line: number; row: Row }[] = []
  #characters = 0
  /** Column index by member name. */
  #columns: Map<string, number> | null = null

  constructor(file: SourceFile | undefined) {
    this.#table = new Table(this.#out, file, undefined, { hasHeader: true, hasNotes: false })
    this.#document = file?.document
  }

  read({ line, text }: { line: number; text: string }): Parsed[] {
    if (text.trim() === '') return []
    const row = rowOf(text)
    if ('problem' in row) return [{ line, problem: row.problem }]
    if (this.#columns) this.#write(line, row, this.#columns)
    else {
      this.#sample.push({ line, row })
      this.#characters += text.length
      if (this.#sample.length >= SAMPLE || this.#characters >= SAMPLE_CHARACTERS) this.#begin()
    }
    return this.#out.splice(0)
  }

  end(): Parsed[] {
    if (!this.#columns) this.#begin()
    this.#table.end()
    return this.#out.splice(0)
  }

  #begin(): void {
    const names = new Set(this.#sample.flatMap(({ row }) => [...row.keys()]))
    const columns = new Map([...names].slice(0, MAX_COLUMNS).map((name, at) => [name, at]))
    this.#columns = columns
    if (columns.size > 0) this.#add(1, [...columns.keys()])
    for (const { line, row } of this.#sample) this.#write(line, row, columns)
    this.#sample = []
  }

  #write(line: number, row: Row, columns: ReadonlyMap<string, number>): void {
    const cells: string[] = new Array(columns.size).fill('')
    for (const [name, value] of row) {
      const at = columns.get(name)
      if (at !== undefined) cells[at] = value
      else if (cells.length < MAX_COLUMNS + columns.size) cells.push(`${name}: ${value}`)
    }
    this.#add(line, cells)
  }

  #add(line: number, cells: string[]): void {
    const shown = this.#document?.line ?? line
    this.#document?.write(`${cells.map(quoted).join(',')}\n`)
    this.#table.add({ line: shown, cells })
  }
}

/** The members of an object; those of nested objects get both names. */
function rowOf(text: string): Row | { problem: string } {
  let value: unknown
  try {
    value = JSON.parse(withAllDigits(text))
  } catch (error) {
    return { problem: `This item is not JSON: ${(error as Error).message}.` }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: 'This item is not a row, because it is not an object.' }
  const row = new Map<string, string>()
  addMembers(row, '', value, 1)
  return row
}

function addMembers(row: Map<string, string>, above: string, members: object, level: number): void {
  for (const [key, value] of Object.entries(members)) {
    const name = above === '' ? key : `${above} ${key}`
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (isObject && level < MAX_LEVELS) addMembers(row, name, value, level + 1)
    else if (value !== null && value !== '') row.set(name, textOf(value))
  }
}

/** A value as cell text: the items of a list, or the members of an object. Implausibly deep values are left out. */
function textOf(value: unknown, level = 0): string {
  if (level > MAX_DEPTH) return ''
  if (Array.isArray(value)) return value.map(item => textOf(item, level + 1)).join('; ')
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, member]) => `${key}: ${textOf(member, level + 1)}`)
      .join(', ')
  return value === null ? '' : String(value)
}
