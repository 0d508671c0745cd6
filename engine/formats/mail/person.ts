import type { GraphRecord } from '../../graph/index.js'

/** Somebody in a message, an event or a contact. */
export interface Person {
  /** As it is written there; may be empty. */
  name: string
  /** A mail address; may be empty. */
  address: string
  /** What else than a person it is. */
  kind?: 'group' | 'room' | 'resource'
}

/** Characters of a name or an address. */
const MAX_LENGTH = 300

/**
 * What identifies somebody: the mail address, because two people can have the same name. Empty when nothing
 * is known of them.
 */
export function personId({ name, address }: Person): string {
  const known = address.trim().toLowerCase() || shownName(name)
  return known.slice(0, MAX_LENGTH)
}

/** The name that people use, or the address. */
export const personName = ({ name, address }: Person) => shownName(name) || address.trim()

/** `Ada Lovelace <ada@example.org>` */
export const shownPerson = ({ name, address }: Person) =>
  address === '' ? name : name.includes(address) ? `<${address}>` : `${name} <${address}>`.trim()

/** The person, and the other names under which they are found. */
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

/** `"Lovelace, Ada"` is Ada Lovelace; quotes around a name are none of it. */
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
