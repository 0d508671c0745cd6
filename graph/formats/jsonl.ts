import type { GraphRecord, Parsed } from '../model.js'
import type { Format } from './format.js'
import { type Line, maxBatch, readLines } from './lines.js'
import { checked } from './record.js'

/**
 * The file of the MCP reference memory server (`@modelcontextprotocol/server-memory`): one JSON object a line,
 * `{type: 'entity', name, entityType, observations}` or `{type: 'relation', from, to, relationType}`. Each observation
 * becomes a passage. Objects that share a line (a crash of that server joins them) are read one by one.
 */
export const jsonl: Format = {
  id: 'jsonl',
  title: 'MCP memory (JSONL)',
  extensions: ['jsonl', 'ndjson', 'json'],
  async *parse(bytes) {
    for await (const lines of readLines(bytes)) {
      let batch: Parsed[] = []
      for (const line of lines) {
        for (const item of readLine(line)) {
          batch.push(item)
          if (batch.length < maxBatch) continue
          yield batch
          batch = []
        }
      }
      if (batch.length > 0) yield batch
    }
  },
}

function* readLine(line: Line): Generator<Parsed> {
  if ('problem' in line) {
    yield line
  } else if (line.text.trim() !== '') {
    for (const part of objects(line.text)) yield* readObject(line.line, part)
  }
}

function* readObject(line: number, text: string): Generator<Parsed> {
  try {
    for (const record of records(JSON.parse(text))) yield checked(line, record)
  } catch (error) {
    yield { line, problem: error instanceof NotARecord ? error.message : 'This is not JSON.' }
  }
}

class NotARecord extends Error {}

/** The line itself when it is one JSON value, else the objects `{…}{…}` it consists of. */
function objects(text: string): Iterable<string> {
  try {
    JSON.parse(text)
    return [text]
  } catch {
    return topLevelObjects(text)
  }
}

function* topLevelObjects(text: string): Generator<string> {
  let start = 0
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (quoted) {
      if (character === '\\') at++
      else if (character === '"') quoted = false
    } else if (character === '"') quoted = true
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0) {
      yield text.slice(start, at + 1)
      start = at + 1
    }
  }
  if (text.slice(start).trim() !== '') yield text.slice(start)
}

function records(value: unknown): GraphRecord[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new NotARecord('This is not a JSON object.')
  }
  const object = new Map(Object.entries(value))
  switch (object.get('type')) {
    case 'entity':
      return entity(object)
    case 'relation':
      return [
        {
          kind: 'relation',
          subject: text(object, 'from'),
          predicate: text(object, 'relationType'),
          object: text(object, 'to'),
        },
      ]
    default:
      throw new NotARecord('"type" is neither "entity" nor "relation".')
  }
}

function entity(object: Map<string, unknown>): GraphRecord[] {
  const name = text(object, 'name')
  const type = object.has('entityType') ? text(object, 'entityType') : ''
  const observations = object.get('observations') ?? []
  if (!Array.isArray(observations)) throw new NotARecord('"observations" is not a list.')
  const records: GraphRecord[] = [{ kind: 'entity', id: name, name, type }]
  for (const observation of observations) {
    if (typeof observation !== 'string') throw new NotARecord('An observation is not a text.')
    if (observation.trim() === '') continue
    records.push({ kind: 'passage', entity: name, title: name, text: observation })
  }
  return records
}

function text(object: Map<string, unknown>, member: string): string {
  const value = object.get(member)
  if (typeof value !== 'string') throw new NotARecord(`"${member}" is missing or not a text.`)
  return value
}
