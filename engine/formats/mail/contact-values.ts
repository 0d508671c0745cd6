import type ICAL from 'ical.js'
import { words } from '../../../platform/common/words.js'

/** Values of a kind that are read. */
export const MOST_VALUES = 30
const LONGEST = 300

/** A value, and what it is for: `work fax`; empty if nothing says so. */
export interface ContactValue {
  value: string
  use: string
}

/** The values of all properties of this name, without empty ones. */
export const valuesOf = (card: ICAL.Component, name: string): string[] =>
  usedValuesOf(card, name).map(({ value }) => value)

/** The same, each with what it is for. */
export function usedValuesOf(card: ICAL.Component, name: string): ContactValue[] {
  const properties = card.getAllProperties(name).slice(0, MOST_VALUES)
  return properties.flatMap(property => {
    const use = useOf(card, property)
    return property
      .getValues()
      .map(value => flatten(value).join(' '))
      .map(value => (name === 'note' ? value : value.slice(0, LONGEST)))
      .filter(value => value !== '')
      .map(value => ({ value, use }))
  })
}

/** The parts of a structured value, such as the family name and the given one. */
export function partsOf(card: ICAL.Component, name: string): string[] {
  const value: unknown = card.getFirstPropertyValue(name)
  return (Array.isArray(value) ? value : [value]).map(part => flatten(part).join(' ').slice(0, LONGEST))
}

/** Postal addresses on one line each. */
export function addressesOf(card: ICAL.Component): ContactValue[] {
  const properties = card.getAllProperties('adr').slice(0, MOST_VALUES)
  return properties
    .map(property => ({ value: inOneLine(flatten(property.getFirstValue())), use: useOf(card, property) }))
    .filter(({ value }) => value !== '')
}

const inOneLine = (parts: readonly string[]) =>
  parts
    .flatMap(part => part.split('\n'))
    .map(part => part.trim().replace(/,$/, ''))
    .filter(part => part !== '')
    .join(', ')

/** What programs write for themselves, or with every number. */
const NO_USE = words(`pref voice internet text msg best x400 dom intl postal parcel other uri text date
  vcard`)

/** `TYPE=HOME,FAX`, or the label of the group in which Apple and Google put what their users have named. */
function useOf(card: ICAL.Component, property: ICAL.Property): string {
  const types = [property.getParameter('type') ?? []]
    .flat()
    .flatMap(type => type.toLowerCase().split(','))
    .map(type => type.trim())
    .map(type => (type === 'cell' || type === 'iphone' ? 'mobile' : type))
    .filter(type => !NO_USE.has(type) && /^[\p{L} -]{1,30}$/u.test(type))
  return labelOf(card, property) || [...new Set(types)].join(' ')
}

/** `_$!<HomePage>!$_` and `REFERRED_BY` are words of a program; others are what somebody wrote. */
function labelOf(card: ICAL.Component, property: ICAL.Property): string {
  const group = property.getFirstParameter('group')
  if (group === undefined) return ''
  const labels = card.getAllProperties('x-ablabel').slice(0, MOST_VALUES)
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

/** Programs escape more than they have to, and the library leaves values as they are that it does not know. */
const unescaped = (text: string) => text.replace(/\\([,;:"])/g, '$1')
