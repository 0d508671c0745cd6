import ICAL from 'ical.js'
import type { GraphRecord, Parsed } from '../../graph/index.js'
import { knownDecoder } from '../shared/encoding.js'
import { baseName } from '../shared/file-name.js'
import type { Format } from '../shared/format.js'
import { pairs } from '../shared/pairs.js'
import { checked } from '../shared/record.js'
import { ContactValues, partsOf } from './contact-values.js'
import { componentsOf, type RawComponent } from './content-lines.js'

const KINDS = new Set(['VCARD'])
const MAX_LENGTH = 300
/** Kinds of contacts other than people (RFC 6350 §6.1.4). */
const KINDS_OF = pairs('org organization group group location place application program device device')
/** Properties that serve as the name of a contact without one. */
const NAMELESS = ['nickname', 'email', 'tel', 'url']

/** Each contact is a person or an organization, found by all its names and addresses. */
export const readContacts: Format['parse'] = async function* (bytes, file) {
  const list = baseName(file?.path ?? 'contacts.vcf')
  const source = file?.notes ? { source: file.path } : {}
  let count = 0
  for await (const items of componentsOf(bytes, KINDS, () => {})) {
    count += items.length
    yield items.flatMap(item => ('problem' in item ? [item] : recordsOf(item, list, source)))
  }
  if (count === 0) yield [{ line: 1, problem: 'This file has no contacts.' }]
}

function recordsOf({ line, lines }: RawComponent, list: string, source: { source?: string }): Parsed[] {
  try {
    const card = new ICAL.Component(parsed(lines))
    return contactOf(card, list, source).map(record => checked(line, record))
  } catch (error) {
    return [{ line, problem: `This contact cannot be read: ${(error as Error).message.slice(0, 200)}.` }]
  }
}

function contactOf(card: ICAL.Component, list: string, source: { source?: string }): GraphRecord[] {
  const values = new ContactValues(card)
  const first = (...properties: string[]) => values.texts(...properties)[0]?.trim() ?? ''
  const listed = (property: string) => values.texts(property).flatMap(text => text.split(','))
  const [family = '', given = ''] = partsOf(card, 'n')
  const organization = partsOf(card, 'org').filter(part => part !== '')
  const [company = ''] = organization
  const emails = values.texts('email').map(address => address.replace(/^mailto:/i, ''))
  const composed = `${given} ${family}`.trim()
  const name = first('fn') || composed || company || first(...NAMELESS).replace(/^(?:mailto|tel):/i, '')
  if (name === '') return []
  const id = (emails[0] ?? name).toLowerCase().slice(0, MAX_LENGTH)
  const kind = first('kind', 'x-addressbookserver-kind').toLowerCase()
  const isCompany = first('x-abshowas').toUpperCase() === 'COMPANY'
  const isPerson = !isCompany && (composed !== '' || company !== name)
  const type = KINDS_OF.get(kind) ?? (isPerson ? 'person' : 'organization')
  const records: GraphRecord[] = [{ kind: 'entity', id, name, type }]
  const others = [composed, ...listed('nickname'), ...emails].map(other => other.trim())
  for (const alias of new Set(others))
    if (alias !== '' && alias !== name) records.push({ kind: 'alias', entity: id, alias })
  for (const address of emails.slice(1))
    records.push({ kind: 'same', entity: address.toLowerCase().slice(0, MAX_LENGTH), sameAs: id })
  const relations = [
    { use: 'works for', value: company === name ? '' : company },
    ...listed('categories').map(value => ({ use: 'tagged', value: value.trim() })),
    ...values.relatives,
  ]
  for (const { use, value } of relations)
    if (value !== '') records.push({ kind: 'relation', subject: id, predicate: use, object: value })
  const text = values.text(name, organization)
  records.push({ kind: 'passage', entity: id, title: `${list} > ${name}`, text, ...source })
  return records
}

/**
 * Parses a contact in the syntax of version 3 and 4: in 2.1, types have no name, and values may be in quoted-printable.
 * Some programs use its parameters but declare a later version, or none.
 */
function parsed(lines: readonly string[]): ReturnType<typeof ICAL.parse> {
  const isOld = lines.some(line => /^VERSION:2/i.test(line))
  try {
    if (!isOld) return ICAL.parse(lines.join('\r\n'))
  } catch {}
  return ICAL.parse(lines.map(modernized).join('\r\n'))
}

function modernized(line: string): string {
  const [, head, value] = /^([^:"]{1,500}):(.*)$/s.exec(line) ?? []
  if (head === undefined || value === undefined) return line
  const [name = '', ...parameters] = head.split(';')
  const isQuoted = parameters.some(each => /QUOTED-PRINTABLE$/i.test(each))
  const charset = parameters.map(each => /^CHARSET=([\w-]{1,30})$/i.exec(each)?.[1]).find(Boolean) ?? 'utf-8'
  const kept = parameters
    .filter(each => each !== '' && !/^(?:CHARSET|ENCODING)=|QUOTED-PRINTABLE$|^BASE64$/i.test(each))
    .map(each => (each.includes('=') ? each : `TYPE=${each}`))
  const plain = isQuoted ? fromQuotedPrintable(value, charset).replace(/\r?\n/g, '\\n') : value
  return `${[name, ...kept].join(';')}:${plain}`
}

function fromQuotedPrintable(text: string, charset: string): string {
  const bytes = text.replace(/=([0-9a-f]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return knownDecoder(charset)?.decode(Buffer.from(bytes, 'latin1')) ?? bytes
}
