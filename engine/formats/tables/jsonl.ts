import type { FactTimes, GraphRecord, Parsed } from '../../graph/index.js'
import type { Format } from '../shared/format.js'
import { readLines, readParts } from '../shared/lines.js'
import { checked } from '../shared/record.js'
import { jsonLists } from './json-parts.js'

/**
 * The file of the MCP reference memory server (`@modelcontextprotocol/server-memory`): one JSON object per
 * line, `{type: 'entity', name, entityType, observations}` or `{type: 'relation', from, to, relationType}`.
 * Each observation becomes a passage. Several objects on one line (after a crash of that server) are read
 * separately. Our own export adds members and lines, which that server ignores: see
 * `engine/formats/writers/jsonl.ts`.
 */
export const jsonl: Format = {
  id: 'jsonl',
  title: 'MCP memory (JSONL)',
  extensions: ['jsonl', 'ndjson', 'json'],
  mayBeLegacy: true,
  tells: /^\{\s{0,9}"type"\s{0,9}:\s{0,9}"(?:entity|relation|_[a-z]{1,20})"/,
  begins:
    /^\{(?!(?:[^{}[\]]{0,300}\{)?\s{0,20}"(?:entities|relations)")[\s\S]{0,900}"type"\s{0,9}:\s{0,9}"(?:entity|relation|alias|same)"/,
  parse: bytes => readParts(readLines(bytes), { read: line => itemsIn(line) }),
}

/** The saved result of that server's tool `read_graph`: one object with two lists. */
export const memoryGraph: Format = {
  id: 'memorygraph',
  title: 'MCP memory (answer of read_graph)',
  extensions: ['json'],
  begins: /^\{(?:[^{}[\]]{0,300}\{)?\s{0,20}"(?:entities|relations)"\s{0,9}:\s{0,9}\[/,
  parse(bytes) {
    let type = 'entity'
    return readParts(jsonLists(bytes, /^(?:entities|relations)$/), {
      read(part) {
        // Results of older servers include the type.
        if ('text' in part) return itemsIn(part, type)
        type = part.name === 'entities' ? 'entity' : 'relation'
        return []
      },
    })
  },
}

/** Between objects on one line. Inside a text, the quotation mark would be escaped. */
const TOGETHER = /(?<=\})\s{0,9}(?=\{\s{0,9}(?:"\w{1,40}"\s{0,9}:|\}))/

/** `type`: the type of objects that do not name one. */
function itemsIn({ line, text }: { line: number; text: string }, type?: string): Parsed[] {
  if (text.trim() === '') return []
  const whole = parsed(text)
  if (whole !== undefined) return readValue(line, whole, type)
  return text.split(TOGETHER).flatMap((part): Parsed[] => {
    const value = parsed(part)
    return value === undefined ? [{ line, problem: 'This is not JSON.' }] : readValue(line, value, type)
  })
}

/** Undefined if it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readValue(line: number, value: unknown, type?: string): Parsed[] {
  const parsed: Parsed[] = []
  try {
    const found = membersOf(value)
    const object = type === undefined ? found : { type, ...found }
    // Other servers mark their files with a special first line.
    if (typeof object.type === 'string' && object.type.startsWith('_')) return []
    addRecords(object, record => parsed.push(checked(line, record)))
  } catch (error) {
    if (!(error instanceof NotARecord)) throw error
    parsed.push({ line, problem: error.message })
  }
  return parsed
}

class NotARecord extends Error {}

type Add = (record: GraphRecord) => void

function addRecords(object: Members, add: Add): void {
  if (object.type === 'entity') addEntity(object, add)
  else if (object.type === 'relation')
    add({
      kind: 'relation',
      subject: keyOf(object, 'from', 'fromKey'),
      predicate: text(object, 'relationType'),
      object: keyOf(object, 'to', 'toKey'),
      ...times(object),
    })
  else if (object.type === 'alias')
    add({ kind: 'alias', entity: keyOf(object), alias: text(object, 'alias') })
  else if (object.type === 'same')
    add({ kind: 'same', entity: keyOf(object), sameAs: keyOf(object, 'sameAs', 'sameAsKey') })
  else throw new NotARecord('"type" is neither "entity" nor "relation".')
}

/** Null means an open end. */
function times(object: Members): FactTimes {
  const { validFrom, validTo, learnedOn } = object
  if (validFrom === undefined && validTo === undefined && learnedOn === undefined) return {}
  const of = (member: string) => (object[member] === null ? null : (optionalText(object, member) ?? null))
  return { validFrom: of('validFrom'), validTo: of('validTo'), learnedOn: of('learnedOn') }
}

/** An entity with its observations. `passages` are details of each, present only in our own export. */
function addEntity(object: Members, add: Add): void {
  const [id, name, type = ''] = [keyOf(object), text(object, 'name'), optionalText(object, 'entityType')]
  const [observations, passages] = [list(object, 'observations'), list(object, 'passages')]
  if (!observations.every(observation => typeof observation === 'string'))
    throw new NotARecord('An observation is not a text.')
  add({ kind: 'entity', id, name, type })
  for (const [at, text] of observations.entries())
    if (text.trim() !== '') add({ kind: 'passage', entity: id, title: name, text, ...more(passages[at]) })
}

function more(value: unknown): { title?: string; source?: string; seq?: number; time?: number } {
  if (value === undefined || value === null) return {}
  const object = membersOf(value)
  const known = [
    ...['title', 'source'].map(member => [member, optionalText(object, member)]),
    ...['seq', 'time'].map(member => [member, optionalNumber(object, member)]),
  ]
  return Object.fromEntries(known.filter(([, value]) => value !== undefined))
}

/** The members of an object. None of the names that are read exist on Object.prototype. */
type Members = Readonly<Record<string, unknown>>

function membersOf(value: unknown): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new NotARecord('This is not a JSON object.')
  return value as Members
}

/** The key of an entity: its name, unless the line has a separate key. */
const keyOf = (object: Members, name = 'name', key = 'key') => optionalText(object, key) ?? text(object, name)

function text(object: Members, member: string): string {
  const value = object[member]
  if (typeof value !== 'string') throw new NotARecord(`"${member}" is missing or not a text.`)
  return value
}

const optionalText = (object: Members, member: string) =>
  object[member] === undefined ? undefined : text(object, member)

function optionalNumber(object: Members, member: string): number | undefined {
  const value = object[member]
  if (value === undefined || typeof value === 'number') return value
  throw new NotARecord(`"${member}" is not a number.`)
}

function list(object: Members, member: string): unknown[] {
  const value = object[member] ?? []
  if (!Array.isArray(value)) throw new NotARecord(`"${member}" is not a list.`)
  return value
}
