import type { GraphRecord } from '../../graph/index.js'

/** A person in a message, an event or a contact. */
export interface Person {
  /** As written; may be empty. */
  name: string
  /** An email address; may be empty. */
  address: string
  /** The kind, if it is not a person. */
  kind?: 'group' | 'room' | 'resource'
}

/** Maximum characters of a name or an address. */
const MAX_LENGTH = 300

/**
 * The id of a person: the email address, because two people can have the same name. Empty if
 * nothing is known.
 */
export function personId({ name, address }: Person): string {
  const known = address.trim().toLowerCase() || shownName(name)
  return known.slice(0, MAX_LENGTH)
}

/** The name without quotes and in natural order, or the address. */
export const personName = ({ name, address }: Person) => shownName(name) || address.trim()

/** `Ada Lovelace <ada@example.org>` */
export const shownPerson = ({ name, address }: Person) =>
  address === '' ? name : name.includes(address) ? `<${address}>` : `${name} <${address}>`.trim()

/** The person with all other names as aliases. */
export function personRecords(person: Person): GraphRecord[] {
  const id = personId(person)
  if (id === '') return []
  const name = personName(person).slice(0, MAX_LENGTH)
  const records: GraphRecord[] = [{ kind: 'entity', id, name, type: person.kind ?? 'person' }]
  const written = plain(person.name).slice(0, MAX_LENGTH)
  for (const alias of new Set([person.address.trim().slice(0, MAX_LENGTH), written]))
    if (alias !== '' && alias !== name) records.push({ kind: 'alias', entity: id, alias })
  return records
}

/** Converts `"Lovelace, Ada"` to Ada Lovelace and removes quotes around a name. */
function shownName(name: string): string {
  const clean = plain(name)
  const [, last, first] = /^([^,]{1,60}), ([^,]{1,60})$/.exec(clean) ?? []
  return last === undefined ? clean : `${first} ${last}`
}

const plain = (name: string) =>
  name
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .trim()
