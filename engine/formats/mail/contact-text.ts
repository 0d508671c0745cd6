import type ICAL from 'ical.js'
import { addressesOf, type ContactValue, MOST_VALUES, usedValuesOf, valuesOf } from './contact-values.js'

const LONGEST_NOTE = 20_000

/** What a contact says, one kind of values a line, each with what it is for. */
export function contactText(card: ICAL.Component, name: string, organization: readonly string[]): string {
  const line = (label: string, values: readonly ContactValue[]) =>
    values.length === 0 ? [] : [`${label}: ${values.slice(0, MOST_VALUES).map(withUse).join(', ')}`]
  const all = (label: string, property: string, prefix = /^$/) =>
    line(
      label,
      usedValuesOf(card, property).map(({ value, use }) => ({ value: value.replace(prefix, ''), use })),
    )
  return [
    name,
    ...all('E-mail', 'email', /^mailto:/i),
    ...all('Phone', 'tel', /^tel:/i),
    ...addressesOf(card).map(({ value, use }) => `Address${use && ` (${use})`}: ${value}`),
    ...line('Organization', organization.map(withoutUse)),
    ...line('Title', [...valuesOf(card, 'title'), ...valuesOf(card, 'role')].map(withoutUse)),
    ...line('Birthday', daysOf(card, 'bday')),
    ...line('Anniversary', ANNIVERSARIES.flatMap(property => daysOf(card, property)).slice(0, 1)),
    ...usedValuesOf(card, 'x-abdate').map(({ value, use }) => `${sentence(use || 'date')}: ${dayOf(value)}`),
    ...relativesOf(card).map(({ value, use }) => `${sentence(use)}: ${value}`),
    ...line('Web', [...usedValuesOf(card, 'url'), ...usedValuesOf(card, 'x-socialprofile')]),
    ...line('Chat', [...usedValuesOf(card, 'impp'), ...chatsOf(card)]),
    ...valuesOf(card, 'note').map(note => note.slice(0, LONGEST_NOTE)),
  ].join('\n')
}

/** Other people, with what they are to this one: `spouse`. */
export function relativesOf(card: ICAL.Component): ContactValue[] {
  const named = [...usedValuesOf(card, 'x-abrelatednames'), ...usedValuesOf(card, 'related')]
  const known = namesOf(card, RELATIVE).flatMap(([property, use]) =>
    valuesOf(card, property).map(value => ({ value, use })),
  )
  // Others refer to a contact by an address that only programs know.
  return [...named, ...known]
    .filter(({ value }) => !/^[a-z]{2,10}:/i.test(value))
    .map(({ value, use }) => ({ value, use: use.toLowerCase() || 'related to' }))
}

const ANNIVERSARIES =
  'anniversary x-anniversary x-ms-anniversary x-evolution-anniversary x-kaddressbook-x-anniversary'.split(' ')
/** As Outlook, Evolution and KDE write them. */
const RELATIVE = /^x-(?:ms-|evolution-|kaddressbook-x-)?(spouse|manager|assistant)(?:s?name)?$/
const CHAT =
  /^x-(?:evolution-|kde-)?(skype|aim|icq|jabber|msn|yahoo|gtalk|google-talk|qq|telegram|matrix|gadugadu|twitter)(?:-username)?$/

const chatsOf = (card: ICAL.Component): ContactValue[] =>
  namesOf(card, CHAT).flatMap(([property, use]) => valuesOf(card, property).map(value => ({ value, use })))

/** The properties with such a name, each once, and the part of it that says what they are. */
function namesOf(card: ICAL.Component, pattern: RegExp): [property: string, use: string][] {
  const names = new Set(card.getAllProperties().map(({ name }) => name))
  return [...names].flatMap((name): [string, string][] => {
    const use = pattern.exec(name)?.[1]
    return use === undefined ? [] : [[name, use]]
  })
}

const daysOf = (card: ICAL.Component, name: string): ContactValue[] =>
  valuesOf(card, name).map(day => withoutUse(dayOf(day)))

/** Without a year that nobody has given: Apple writes 1604, others two dashes. */
const dayOf = (text: string) =>
  text
    .slice(0, 10)
    .replace(/^(\d{4}|--)-?(\d\d)-?(\d\d)$/, '$1-$2-$3')
    .replace(/^(?:1604|--)-/, '')

const withoutUse = (value: string): ContactValue => ({ value, use: '' })
const withUse = ({ value, use }: ContactValue) => (use === '' ? value : `${value} (${use})`)
const sentence = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
