import type { TObject, TSchema } from '@sinclair/typebox'
import { editDistance } from '../platform/common/edit-distance.js'

/** Arguments of a call as its tool expects them, and the changes made to them. */
interface ReadArguments {
  values: Record<string, unknown>
  /** Sentences for the model about arguments that were ignored or changed. */
  notes: string[]
}

/** Maximum unknown arguments compared with ours, and maximum characters of a name compared or shown. */
const MAX_UNKNOWN = 20
const MAX_NAME = 40
/** Quotes that models add around names and ids. */
const QUOTED = /^\s{0,9}(["'`])([^"'`]{1,200})\1\s{0,9}$/
const INTEGER = /^\s{0,9}[+-]?\d{1,15}(?:\.0{1,9})?\s{0,9}$/

/**
 * Reads arguments as assistants actually send them (RULES X14): unknown ones are dropped, because some clients
 * add their own (`wait_for_previous`, `toolCallId`); null and empty text mean that an optional argument is
 * absent; numbers come as text, years as numbers, lists as one text or as JSON, identifiers in quotes; numbers beyond a bound
 * are clamped. Anything else is left for the schema to refuse.
 */
export function readArguments(
  args: Record<string, unknown>,
  input: TObject,
  synonyms: Record<string, string>,
): ReadArguments {
  const values: Record<string, unknown> = {}
  const notes: string[] = []
  const unknown: string[] = []
  for (const [name, value] of Object.entries(args)) {
    const schema = Object.hasOwn(input.properties, name) ? input.properties[name] : undefined
    if (!schema) unknown.push(name)
    else if (!isAbsent(value) || input.required?.includes(name))
      values[name] = readValue(name, value, schema, notes)
  }
  for (const name of unknown.slice(0, MAX_UNKNOWN)) {
    const field = Object.hasOwn(synonyms, name) ? synonyms[name] : undefined
    const schema = field === undefined ? undefined : input.properties[field]
    if (field !== undefined && schema && values[field] === undefined && !isAbsent(args[name]))
      values[field] = readValue(field, args[name], schema, notes)
    else if (field === undefined) notes.push(...misspelt(name, Object.keys(input.properties)))
  }
  return { values, notes }
}

function isAbsent(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '')
}

function readValue(name: string, value: unknown, schema: TSchema, notes: string[]): unknown {
  if (schema.type === 'integer') return readInteger(name, value, schema, notes)
  if (schema.type === 'array') return readList(value, schema)
  if (schema.type === 'object' || schema.type === 'boolean') return inText(value, schema.type) ?? value
  const text = isYear(value, schema) ? String(value) : unquoted(value)
  return schema.enum
    ? (schema.enum.find((each: string) => each === String(text).toLowerCase()) ?? text)
    : text
}

function readInteger(name: string, value: unknown, { minimum, maximum }: TSchema, notes: string[]): unknown {
  const text = unquoted(value)
  const number = typeof text === 'string' && INTEGER.test(text) ? Number(text) : value
  if (typeof number !== 'number' || !Number.isInteger(number)) return value
  if (number > maximum) notes.push(`"${name}" was lowered to ${maximum}, the maximum.`)
  if (number < minimum) notes.push(`"${name}" was raised to ${minimum}, the minimum.`)
  return Math.min(maximum, Math.max(minimum, number))
}

/** A year where text is expected: "as_of": 2021. */
function isYear(value: unknown, { type }: TSchema): boolean {
  return type === 'string' && Number.isInteger(value) && Number(value) >= 1000 && Number(value) <= 9999
}

/** A list, a list as JSON text, or one item; items without content are left out. */
function readList(value: unknown, { items }: TSchema): unknown {
  const list = [value, inText(value, 'object'), [value]].find(each => Array.isArray(each)) ?? []
  const isItem = items.type === 'string' ? typeof value === 'string' : typeof list[0] === 'object'
  if (!Array.isArray(value) && list[0] === value && !isItem) return value
  return list.filter(item => !isAbsent(item))
}

/** A list, an object, or true or false as JSON text. */
function inText(value: unknown, type: 'object' | 'boolean'): unknown {
  if (typeof value !== 'string' || !/^\s{0,9}[[{tf]/i.test(value)) return null
  try {
    const read: unknown = JSON.parse(type === 'boolean' ? value.toLowerCase() : value)
    return typeof read === type ? read : null
  } catch {
    return null
  }
}

function unquoted(value: unknown): unknown {
  return typeof value === 'string' ? (QUOTED.exec(value)?.[2] ?? value.trim()) : value
}

/** Names an ignored argument if it looks like one of ours. */
function misspelt(name: string, fields: readonly string[]): string[] {
  if (name.length > MAX_NAME) return []
  const plain = plainName(name)
  const [best] = fields
    .map(field => ({ field, edits: editDistance(plain, plainName(field)) }))
    .sort((a, b) => a.edits - b.edits)
  if (!best) return []
  const isClose = best.edits <= Math.min(2, Math.floor(best.field.length / 3))
  const meant = isClose ? best.field : fields.find(field => field.length > 3 && plain.startsWith(field))
  if (meant === undefined) return []
  return [`"${name}" was ignored because there is no such argument. Did you mean "${meant}"?`]
}

/** "maxTokens" and "max-tokens" look like "max_tokens". */
function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}
