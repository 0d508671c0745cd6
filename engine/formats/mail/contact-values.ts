import type ICAL from 'ical.js'
import { words } from '../../../platform/common/words.js'
import { joined, labelled } from '../shared/values.js'

/** Maximum values of a kind. */
const MAX_VALUES = 30
const MAX_LENGTH = 300

/** A value and its use: `work fax`; empty if unknown. */
interface ContactValue {
  value: string
  use: string
}

/** The non-empty values of all properties with this name. */
export const valuesOf = (card: ICAL.Component, name: string): string[] =>
  usedValuesOf(card, name).map(({ value }) => value)

/** The same, each with its use. */
function usedValuesOf(card: ICAL.Component, name: string): ContactValue[] {
  const properties = card.getAllProperties(name).slice(0, MAX_VALUES)
  return properties.flatMap(property => {
    const use = useOf(card, property)
    return property
      .getValues()
      .map(value => flatten(value).join(' '))
      .map(value => (name === 'note' ? value : value.slice(0, MAX_LENGTH)))
      .filter(value => value !== '')
      .map(value => ({ value, use }))
  })
}

/** The components of a structured value, such as family name and given name. */
export function partsOf(card: ICAL.Component, name: string): string[] {
  const value: unknown = card.getFirstPropertyValue(name)
  return (Array.isArray(value) ? value : [value]).map(part => flatten(part).join(' ').slice(0, MAX_LENGTH))
}

/** Postal addresses, on one line each. */
const addressesOf = (card: ICAL.Component): ContactValue[] =>
  card
    .getAllProperties('adr')
    .slice(0, MAX_VALUES)
    .map(property => ({ value: inOneLine(flatten(property.getFirstValue())), use: useOf(card, property) }))
    .filter(({ value }) => value !== '')

const inOneLine = (parts: readonly string[]) =>
  joined(
    parts.flatMap(part => part.split('\n')).map(part => part.trim().replace(/,$/, '')),
    ', ',
  )

/** Types that are set by programs or for every number. */
const NO_USE = words(`pref voice internet text msg best x400 dom intl postal parcel other uri text date
  vcard`)

/** `TYPE=HOME,FAX`, or the group label that users of Apple and Google chose. */
function useOf(card: ICAL.Component, property: ICAL.Property): string {
  const types = [property.getParameter('type') ?? []]
    .flat()
    .flatMap(type => type.toLowerCase().split(','))
    .map(type => type.trim())
    .map(type => (type === 'cell' || type === 'iphone' ? 'mobile' : type))
    .filter(type => !NO_USE.has(type) && /^[\p{L} -]{1,30}$/u.test(type))
  return labelOf(card, property) || [...new Set(types)].join(' ')
}

/** The label: `_$!<HomePage>!$_` and `REFERRED_BY` are predefined, others were typed by users. */
function labelOf(card: ICAL.Component, property: ICAL.Property): string {
  const group = property.getFirstParameter('group')
  if (group === undefined) return ''
  const labels = card.getAllProperties('x-ablabel').slice(0, MAX_VALUES)
  const label = labels.find(other => other.getFirstParameter('group') === group)
  const text = flatten(label?.getFirstValue()).join(' ').slice(0, 60)
  const [, known] =
    /^(?:_\$!<)([^>]{1,50})>!\$_$/.exec(text) ?? /^([A-Z]{2,30}(?:_[A-Z]{1,30}){0,5})$/.exec(text) ?? []
  if (known === undefined) return text
  return known
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .replaceAll('_', ' ')
    .toLowerCase()
}

function flatten(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(flatten)
  const text = value === null || value === undefined ? '' : unescaped(String(value)).trim()
  return text === '' ? [] : [text]
}

/** Removes needless escapes, which the library keeps in unknown properties. */
const unescaped = (text: string) => text.replace(/\\([,;:"])/g, '$1')

const MAX_NOTE_LENGTH = 20_000

/** The contact as text, one line per kind of value, with uses. */
export function contactText(card: ICAL.Component, name: string, organization: readonly string[]): string {
  const used = (...properties: string[]) => properties.flatMap(property => usedValuesOf(card, property))
  const days = (...properties: string[]) =>
    properties.flatMap(property => valuesOf(card, property)).map(dayOf)
  const line = (label: string, values: readonly (ContactValue | string)[]) =>
    labelled(label, values.slice(0, MAX_VALUES).map(shown))
  return joined([
    name,
    line('E-mail', used('email')),
    line('Phone', used('tel')),
    ...addressesOf(card).map(({ value, use }) => `Address${use && ` (${use})`}: ${value}`),
    line('Organization', organization),
    line('Title', [...valuesOf(card, 'title'), ...valuesOf(card, 'role')]),
    line('Birthday', days('bday')),
    line('Anniversary', days(...ANNIVERSARIES).slice(0, 1)),
    ...used('x-abdate').map(({ value, use }) => `${sentence(use || 'date')}: ${dayOf(value)}`),
    ...relativesOf(card).map(({ value, use }) => `${sentence(use)}: ${value}`),
    line('Web', used('url', 'x-socialprofile')),
    line('Chat', [...used('impp'), ...namedValues(card, CHAT)]),
    ...valuesOf(card, 'note').map(note => note.slice(0, MAX_NOTE_LENGTH)),
  ])
}

/** Related people, with their relation: `spouse`. */
export const relativesOf = (card: ICAL.Component): ContactValue[] =>
  [
    ...usedValuesOf(card, 'x-abrelatednames'),
    ...usedValuesOf(card, 'related'),
    ...namedValues(card, RELATIVE),
  ]
    // Other relations refer to a contact by an id.
    .filter(({ value }) => !/^[a-z]{2,10}:/i.test(value))
    .map(({ value, use }) => ({ value, use: use.toLowerCase() || 'related to' }))

const ANNIVERSARIES =
  'anniversary x-anniversary x-ms-anniversary x-evolution-anniversary x-kaddressbook-x-anniversary'.split(' ')
/** Properties of Outlook, Evolution and KDE. */
const RELATIVE = /^x-(?:ms-|evolution-|kaddressbook-x-)?(spouse|manager|assistant)(?:s?name)?$/
const CHAT =
  /^x-(?:evolution-|kde-)?(skype|aim|icq|jabber|msn|yahoo|gtalk|google-talk|qq|telegram|matrix|gadugadu|twitter)(?:-username)?$/

/** The values of the properties that match a pattern, with the part of their name that describes the use. */
function namedValues(card: ICAL.Component, pattern: RegExp): ContactValue[] {
  const names = new Set(card.getAllProperties().map(({ name }) => name))
  return [...names].flatMap(name => {
    const use = pattern.exec(name)?.[1]
    return use === undefined ? [] : valuesOf(card, name).map(value => ({ value, use }))
  })
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
