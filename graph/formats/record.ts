import type { GraphRecord, Parsed } from '../model.js'

/** Characters of a name, type, predicate or title. */
const maxNameLength = 1_000
/** Characters of a passage. */
const maxPassageLength = 100_000

/** The record with names trimmed and lone surrogates replaced (no store can keep them), or why it is refused. */
export function checked(line: number, record: GraphRecord): Parsed {
  try {
    return { line, record: clean(record) }
  } catch (error) {
    if (error instanceof BadRecord) return { line, problem: error.message }
    throw error
  }
}

class BadRecord extends Error {}

function clean(record: GraphRecord): GraphRecord {
  switch (record.kind) {
    case 'entity': {
      const { type } = record
      const entity = { kind: record.kind, id: name(record.id, 'name'), name: name(record.name, 'name') }
      return type === undefined || type.trim() === '' ? entity : { ...entity, type: name(type, 'type') }
    }
    case 'alias':
      return { kind: record.kind, entity: name(record.entity, 'name'), alias: name(record.alias, 'alias') }
    case 'relation':
      return {
        kind: record.kind,
        subject: name(record.subject, 'subject'),
        predicate: name(record.predicate, 'predicate'),
        object: name(record.object, 'object'),
      }
    case 'passage':
      return {
        ...record,
        entity: name(record.entity, 'name'),
        title: name(record.title, 'title'),
        text: passage(record.text),
      }
  }
}

function name(text: string, what: string): string {
  const trimmed = wellFormed(text, what).trim()
  if (trimmed === '') throw new BadRecord(`The ${what} is empty.`)
  if (trimmed.length > maxNameLength) throw new BadRecord(`The ${what} is longer than 1,000 characters.`)
  return trimmed
}

function passage(text: string): string {
  const whole = wellFormed(text, 'text')
  if (whole.trim() === '') throw new BadRecord('The text is empty.')
  if (whole.length > maxPassageLength) throw new BadRecord('The text is longer than 100,000 characters.')
  return whole
}

function wellFormed(text: string, what: string): string {
  if (text.includes('\0')) throw new BadRecord(`The ${what} contains a NUL character.`)
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}
