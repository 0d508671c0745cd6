import type { stringify } from 'csv-stringify/sync'
import { normalizeName } from '../../graph/index.js'
import { guarded, OWN_HEADER, type OwnRow } from '../tables/own-columns.js'
import type { ExportFormat, Statement, StatementWriter, WrittenEntity } from './format.js'

/**
 * One table for all kinds of statements; `kind` determines the columns in use (docs/decisions/0016).
 */
export const csvExport: ExportFormat = {
  id: 'csv',
  title: 'CSV',
  extension: 'csv',
  contentType: 'text/csv; charset=utf-8',
  writer: async () => csvWriter((await import('csv-stringify/sync')).stringify),
}

/** Minimum characters per write: the library is twice as fast with many rows at a time. */
const HELD = 4096

function csvWriter(stringifyRows: typeof stringify): StatementWriter {
  let rows: string[][] = [[...OWN_HEADER]]
  let characters = 0
  const end = () => {
    const text = stringifyRows(rows, QUOTING)
    rows = []
    characters = 0
    return text
  }
  const write = (statement: Statement) => {
    const row = rowOf(statement)
    const cells = OWN_HEADER.map(name => guarded(row[name] ?? ''))
    rows.push(cells)
    for (const cell of cells) characters += cell.length
    return characters < HELD ? '' : end()
  }
  return { write, end }
}

/** RFC 4180 §2. Cells with leading or trailing white space are quoted as well, because readers may trim it. */
const QUOTING = {
  record_delimiter: 'windows',
  quote_record_delimiter: true,
  quoted_match: /^\s|\s$/,
} as const

function rowOf(statement: Statement): OwnRow {
  const { kind } = statement
  switch (kind) {
    case 'entity':
      return { kind, ...subject(statement.entity), type: statement.entity.type ?? '' }
    case 'alias':
      return { kind, ...subject(statement.entity), object: statement.alias }
    case 'same':
      return { kind, ...subject(statement.entity), ...object(statement.sameAs) }
    case 'relation': {
      const { predicate, validFrom, validTo, learnedOn } = statement
      const dates = { valid_from: validFrom ?? '', valid_to: validTo ?? '', learned_on: learnedOn ?? '' }
      return { kind, ...subject(statement.subject), predicate, ...object(statement.object), ...dates }
    }
    case 'passage': {
      const { entity, title, text, source, seq, time } = statement
      const at = { seq: String(seq ?? ''), time: time === null ? '' : new Date(time).toISOString() }
      return { kind, ...subject(entity), title, text, source: source ?? '', ...at }
    }
  }
}

const object = (entity: WrittenEntity) => ({ object: entity.name, object_key: key(entity) })

const subject = (entity: WrittenEntity) => ({ subject: entity.name, subject_key: key(entity) })

const key = (entity: WrittenEntity) => (normalizeName(entity.name) === entity.key ? '' : entity.key)
