import ICAL from 'ical.js'
import { words } from '../../../platform/common/words.js'
import type { GraphRecord, Parsed } from '../../graph/index.js'
import { knownDecoder } from '../shared/encoding.js'
import { baseName } from '../shared/file-name.js'
import type { Format } from '../shared/format.js'
import { pairs } from '../shared/pairs.js'
import { checked } from '../shared/record.js'
import { joined, labelled } from '../shared/values.js'
import { componentsOf, type RawComponent } from './content-lines.js'

const KINDS = new Set(['VCARD'])
/** Maximum characters of a name and of a value. */
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

/** Maximum values of a kind. */
const MAX_VALUES = 30
const MAX_NOTE_LENGTH = 20_000

/** A value and its use: `work fax`; empty if unknown. */
interface ContactValue {
  value: string
  use: string
}

/** The components of a structured value, such as family name and given name. */
function partsOf(card: ICAL.Component, name: string): string[] {
  const value: unknown = card.getFirstPropertyValue(name)
  return (Array.isArray(value) ? value : [value]).map(part => flatten(part).join(' ').slice(0, MAX_LENGTH))
}

function flatten(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(flatten)
  const text = value === null || value === undefined ? '' : unescaped(String(value)).trim()
  return text === '' ? [] : [text]
}

/** Removes needless escapes, which the library keeps in unknown properties. */
const unescaped = (text: string) => text.replace(/\\([,;:"])/g, '$1')

/** A value as text; a postal address on one line. */
function textOf(name: string, value: unknown): string {
  const parts = flatten(value)
  if (name === 'note') return parts.join(' ').slice(0, MAX_NOTE_LENGTH)
  if (name !== 'adr') return parts.join(' ').slice(0, MAX_LENGTH)
  const lines = parts.flatMap(part => part.split('\n')).map(part => part.trim().replace(/,$/, ''))
  return joined(lines, ', ')
}

/** Types that are set by programs or for every number. */
const NO_USE = words(`pref voice internet text msg best x400 dom intl postal parcel other uri text date
  vcard`)

/** `TYPE=HOME,FAX` */
function typesOf(property: ICAL.Property): string {
  const types = [property.getParameter('type') ?? []]
    .flat()
    .flatMap(type => type.toLowerCase().split(','))
    .map(type => type.trim())
    .map(type => (type === 'cell' || type === 'iphone' ? 'mobile' : type))
    .filter(type => !NO_USE.has(type) && /^[\p{L} -]{1,30}$/u.test(type))
  return [...new Set(types)].join(' ')
}

/** A label of Apple or Google: `_$!<HomePage>!$_` and `REFERRED_BY` are predefined, others were typed by users. */
function labelOf(property: ICAL.Property): string {
  const text = flatten(property.getFirstValue()).join(' ').slice(0, 60)
  const [, known] =
    /^(?:_\$!<)([^>]{1,50})>!\$_$/.exec(text) ?? /^([A-Z]{2,30}(?:_[A-Z]{1,30}){0,5})$/.exec(text) ?? []
  if (known === undefined) return text
  return known
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .replaceAll('_', ' ')
    .toLowerCase()
}

const ANNIVERSARIES = words(
  'anniversary x-anniversary x-ms-anniversary x-evolution-anniversary x-kaddressbook-x-anniversary',
)
/** Properties of Outlook, Evolution and KDE. The group is the use of their values. */
const RELATIVE = /^x-(?:ms-|evolution-|kaddressbook-x-)?(spouse|manager|assistant)(?:s?name)?$/
const CHAT =
  /^x-(?:evolution-|kde-)?(skype|aim|icq|jabber|msn|yahoo|gtalk|google-talk|qq|telegram|matrix|gadugadu|twitter)(?:-username)?$/

/** The values of a contact that are not empty, by the names of their properties. */
class ContactValues {
  readonly #values = new Map<string, ContactValue[]>()

  constructor(card: ICAL.Component) {
    const groupOf = (property: ICAL.Property) => property.getFirstParameter('group') ?? ''
    const labels = new Map(card.getAllProperties('x-ablabel').map(label => [groupOf(label), labelOf(label)]))
    labels.delete('')
    for (const property of card.getAllProperties()) {
      const { name } = property
      const known = this.#values.get(name) ?? []
      this.#values.set(name, known)
      if (known.length >= MAX_VALUES) continue
      const use = labels.get(groupOf(property)) || typesOf(property)
      const values = property.getValues().map(value => ({ value: textOf(name, value), use }))
      known.push(...values.filter(({ value }) => value !== ''))
    }
  }

  /** The values of the properties with these names. */
  texts(...names: string[]): string[] {
    return this.#used(...names).map(({ value }) => value)
  }

  #used(...names: string[]): ContactValue[] {
    return names.flatMap(name => this.#values.get(name) ?? [])
  }

  /** The values of the properties that match a pattern, with the part of their name that describes the use. */
  #named(pattern: RegExp): ContactValue[] {
    return [...this.#values].flatMap(([name, values]) => {
      const use = pattern.exec(name)?.[1]
      return use === undefined ? [] : values.map(({ value }) => ({ value, use }))
    })
  }

  /** Related people, with their relation: `spouse`. */
  get relatives(): ContactValue[] {
    return (
      [...this.#used('x-abrelatednames', 'related'), ...this.#named(RELATIVE)]
        // Other relations refer to a contact by an id.
        .filter(({ value }) => !/^[a-z]{2,10}:/i.test(value))
        .map(({ value, use }) => ({ value, use: use.toLowerCase() || 'related to' }))
    )
  }

  /** The contact as text, one line per kind of value, with uses. */
  text(name: string, organization: readonly string[]): string {
    const days = (...names: string[]) => this.texts(...names).map(dayOf)
    const line = (label: string, values: readonly (ContactValue | string)[]) =>
      labelled(label, values.slice(0, MAX_VALUES).map(shown))
    return joined([
      name,
      line('E-mail', this.#used('email')),
      line('Phone', this.#used('tel')),
      ...this.#used('adr').map(({ value, use }) => `Address${use && ` (${use})`}: ${value}`),
      line('Organization', organization),
      line('Title', this.texts('title', 'role')),
      line('Birthday', days('bday')),
      line('Anniversary', days(...ANNIVERSARIES).slice(0, 1)),
      ...this.#used('x-abdate').map(({ value, use }) => `${sentence(use || 'date')}: ${dayOf(value)}`),
      ...this.relatives.map(({ value, use }) => `${sentence(use)}: ${value}`),
      line('Web', this.#used('url', 'x-socialprofile')),
      line('Chat', [...this.#used('impp'), ...this.#named(CHAT)]),
      ...this.texts('note'),
    ])
  }
}

/** A date without its placeholder year: Apple writes 1604, others two dashes. */
const dayOf = (text: string) =>
  text
    .slice(0, 10)
    .replace(/^(\d{4}|--)-?(\d\d)-?(\d\d)$/, '$1-$2-$3')
    .replace(/^(?:1604|--)-/, '')

function shown(of: ContactValue | string): string {
  const { value, use } = typeof of === 'string' ? { value: of, use: '' } : of
  const written = value.replace(/^(?:mailto|tel):/i, '')
  return use === '' ? written : `${written} (${use})`
}

const sentence = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

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
