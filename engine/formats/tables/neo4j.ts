import type { GraphRecord, Parsed } from '../../graph/index.js'
import { checked } from '../shared/record.js'
import type { Columns } from './own-columns.js'

/**
 * Neo4j's tables: node files (`personId:ID,name,:LABEL`) and relationship files (`:START_ID,:END_ID,:TYPE`)
 * of `neo4j-admin database import`, and the single file of `apoc.export.csv.all`
 * (`_id,_labels,…,_start,_end,_type`). A node is identified by its id, because its relationships may be in
 * another file, and has a name.
 */
export function neo4jColumns(cells: string[]): Columns | null {
  const fields = cells.map(fieldOf)
  const place = (role: string) => fields.findIndex(field => field.role === role)
  const [id, start, end, type] = [place('ID'), place('START_ID'), place('END_ID'), place('TYPE')]
  if (id < 0 && (start < 0 || end < 0)) return null
  const node = nodeReader(fields)
  const relationship = (row: string[]): GraphRecord => ({
    kind: 'relation',
    subject: keyOf(fields[start], row[start]),
    predicate: row[type] || 'related to',
    object: keyOf(fields[end], row[end]),
  })
  const read = (line: number, row: string[]): Parsed[] => {
    const isNode = id >= 0 && (start < 0 || row[start] === '')
    return (isNode ? node(row) : [relationship(row)]).map(record => checked(line, record))
  }
  return { isHeader: true, count: cells.length, read }
}

interface Field {
  /** Of a property; otherwise empty. */
  name: string
  /** `ID`, `LABEL`, `START_ID` …, or empty for properties. */
  role: string
  /** The id space of `:ID(Movie-ID)`. */
  space: string
  isList: boolean
}

const APOC = new Map(
  Object.entries({ _id: 'ID', _labels: 'LABEL', _start: 'START_ID', _end: 'END_ID', _type: 'TYPE' }),
)
const HEADER =
  /:(ID|LABEL|START_ID|END_ID|TYPE|IGNORE|[a-z]+)(?:\{[^{}]*\})?(\[\])?(?:\(([^()]*)\))?(?:\{[^{}]*\})?$/

function fieldOf(cell: string): Field {
  const plain = { name: cell, role: APOC.get(cell) ?? '', space: '', isList: false }
  const match = HEADER.exec(cell)
  if (!match) return plain
  const [, kind = '', list, space = ''] = match
  const name = cell.slice(0, match.index)
  const isRole = kind === kind.toUpperCase()
  return { name, role: isRole ? kind : '', space, isList: list !== undefined }
}

/** Properties that name a node, best first. */
const NAMING = ['name', 'title', 'label']
/** Characters; a longer value is a text about the node. */
const MAX_VALUE_LENGTH = 80

function nodeReader(fields: Field[]): (row: string[]) => GraphRecord[] {
  const id = fields.findIndex(field => field.role === 'ID')
  const labels = fields.findIndex(field => field.role === 'LABEL')
  const properties = [...fields.entries()].filter(([, field]) => field.role === '' && field.name !== '')
  const names = NAMING.flatMap(name =>
    properties.filter(([, field]) => field.name.toLowerCase() === name).map(([at]) => at),
  )
  return row => {
    const key = keyOf(fields[id], row[id])
    const namedBy = names.find(at => row[at] !== '')
    const name = (namedBy === undefined ? undefined : row[namedBy]) ?? key
    const [type = '', ...others] = (row[labels] ?? '').split(/[;:]/).filter(Boolean)
    const records: GraphRecord[] = [{ kind: 'entity', id: key, name, type }]
    for (const other of others)
      records.push({ kind: 'relation', subject: key, predicate: 'is a', object: other })
    for (const [at, field] of properties) {
      if (at !== namedBy) records.push(...valuesOf(key, name, field, row[at] ?? ''))
    }
    return records
  }
}

function valuesOf(entity: string, title: string, { name, isList }: Field, cell: string): GraphRecord[] {
  const values = isList ? cell.split(';') : [cell]
  return values
    .map(value => value.trim())
    .filter(Boolean)
    .map(value =>
      value.length > MAX_VALUE_LENGTH
        ? { kind: 'passage', entity, title, text: value }
        : { kind: 'relation', subject: entity, predicate: name, object: value },
    )
}

/** Numbers identify nodes within one database only, so they are qualified to differ from other numbers. */
function keyOf(field: Field | undefined, cell = ''): string {
  if (!/^\d+$/.test(cell)) return cell
  return `${field?.space || 'node'} ${cell}`
}
