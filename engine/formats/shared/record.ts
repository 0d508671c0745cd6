import {
  dateOf,
  type FactTimes,
  type GraphRecord,
  normalizeName,
  type Parsed,
  periodOf,
} from '../../graph/index.js'

/** Maximum characters of a name, type, predicate or title. */
const MAX_NAME_LENGTH = 1_000
/** Maximum characters of a passage. */
const MAX_PASSAGE_LENGTH = 100_000

/**
 * Validates a record: trims names and replaces lone surrogates, which stores reject. Returns the record or a
 * problem.
 */
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
  const { kind } = record
  switch (kind) {
    case 'entity': {
      const { type = '' } = record
      const entity = { kind, id: name(record.id, 'name'), name: name(record.name, 'name') }
      return type.trim() === '' ? entity : { ...entity, type: name(type, 'type') }
    }
    case 'alias':
      return { kind, entity: name(record.entity, 'name'), alias: name(record.alias, 'alias') }
    case 'same':
      return { kind, entity: name(record.entity, 'name'), sameAs: name(record.sameAs, 'other name') }
    case 'relation': {
      const [subject, predicate] = [name(record.subject, 'subject'), name(record.predicate, 'predicate')]
      return { kind, subject, predicate, object: name(record.object, 'object'), ...times(record) }
    }
    case 'passage': {
      const [entity, title] = [name(record.entity, 'name'), name(record.title, 'title')]
      return { kind, entity, title, text: passage(record.text), ...origin(record) }
    }
  }
}

/** The dates in their stored form; absent and empty ones are left out. */
function times(record: FactTimes): FactTimes {
  const found: FactTimes = {}
  for (const [member, what] of DATES) {
    const text = record[member]?.trim() ?? ''
    if (text === '') continue
    const known = dateOf(text)
    if (known === null)
      throw new BadRecord(
        `The ${what} is not a date like 2019, 2019-05, 2019-05-01 or 2019-05-01T09:30:00Z: “${wellFormed(text, what).slice(0, 40)}”.`,
      )
    found[member] = known
  }
  const { validFrom: from, validTo: to } = found
  if (from && to && periodOf(from).from > periodOf(to).to)
    throw new BadRecord(`The fact ends (${to}) before it begins (${from}).`)
  return found
}

const DATES = [
  ['validFrom', 'beginning'],
  ['validTo', 'end'],
  ['learnedOn', 'day it was learned on'],
] as const

type Passage = Extract<GraphRecord, { kind: 'passage' }>

function origin({ source = '', seq, time, line }: Passage): Partial<Passage> {
  if (seq !== undefined && seq !== (seq | 0))
    throw new BadRecord('The position in the sequence is not a whole number.')
  if (time !== undefined && Number.isNaN(new Date(time).getTime()))
    throw new BadRecord('The time is invalid.')
  return {
    ...(source.trim() === '' ? {} : { source: name(source, 'source') }),
    ...(seq === undefined ? {} : { seq }),
    ...(time === undefined ? {} : { time: Math.trunc(time) }),
    ...(line === undefined ? {} : { line }),
  }
}

function name(text: string, what: string): string {
  const trimmed = wellFormed(text, what).trim()
  if (trimmed === '') throw new BadRecord(`The ${what} is empty.`)
  if (isTooLong(trimmed)) throw new BadRecord(`The ${what} is longer than 1,000 characters.`)
  return trimmed
}

/**
 * Whether a trimmed text is too long for a name. Normalization expands some characters to up to 18, and the
 * normalized name must fit as well.
 */
export function isTooLong(trimmed: string): boolean {
  if (trimmed.length > MAX_NAME_LENGTH) return true
  return trimmed.length * 18 > MAX_NAME_LENGTH && normalizeName(trimmed).length > MAX_NAME_LENGTH
}

function passage(text: string): string {
  const whole = wellFormed(text, 'text')
  if (whole.trim() === '') throw new BadRecord('The text is empty.')
  if (whole.length > MAX_PASSAGE_LENGTH) throw new BadRecord('The text is longer than 100,000 characters.')
  return whole
}

function wellFormed(text: string, what: string): string {
  if (text.includes('\0')) throw new BadRecord(`The ${what} contains a NUL character.`)
  return (UNSEEN.test(text) ? text.replaceAll(UNSEEN_ALL, '') : text).toWellFormed()
}

/** Invisible characters that allow or prevent line breaks. Nobody types them in a question. */
const UNSEEN = /[\u00ad\u2060\ufeff]/
const UNSEEN_ALL = /[\u00ad\u2060\ufeff]/g
