import { normalizeName } from '../text.js'
import { guarded, type OwnRow, ownHeader } from './csv-columns.js'
import type { ExportFormat, Named, Statement, Writer } from './export.js'

/** One table for all kinds of statements; `kind` tells which columns are filled (docs/decisions/0016). */
export const csvExport: ExportFormat = {
  id: 'csv',
  title: 'CSV',
  extension: 'csv',
  contentType: 'text/csv; charset=utf-8',
  writer: () => new CsvWriter(),
}

class CsvWriter implements Writer {
  #begun = false

  write(statement: Statement): string {
    const row = rowOf(statement)
    return this.#header() + lineOf(ownHeader.map(name => guarded(row[name] ?? '')))
  }

  end(): string {
    return this.#header()
  }

  #header(): string {
    if (this.#begun) return ''
    this.#begun = true
    return lineOf(ownHeader)
  }
}

function rowOf(statement: Statement): OwnRow {
  switch (statement.kind) {
    case 'entity':
      return { kind: 'entity', ...subject(statement.entity), type: statement.entity.type ?? '' }
    case 'alias':
      return { kind: 'alias', ...subject(statement.entity), object: statement.alias }
    case 'relation': {
      const { predicate, object } = statement
      return {
        kind: 'relation',
        ...subject(statement.subject),
        predicate,
        object: object.name,
        object_key: key(object),
      }
    }
    case 'passage': {
      const { entity, title, text, source, seq, time } = statement
      return {
        kind: 'passage',
        ...subject(entity),
        title,
        text,
        source: source ?? '',
        seq: seq === null ? '' : String(seq),
        time: time === null ? '' : new Date(time).toISOString(),
      }
    }
  }
}

const subject = (entity: Named) => ({ subject: entity.name, subject_key: key(entity) })

const key = (entity: Named) => (normalizeName(entity.name) === entity.key ? '' : entity.key)

const lineOf = (cells: readonly string[]) => `${cells.map(quoted).join(',')}\r\n`

/** RFC 4180 §2; white space at the ends is quoted, too, because readers may trim it. */
const quoted = (cell: string) => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
