import { pairs } from '../shared/pairs.js'
import { joined, labelled } from '../shared/values.js'

const UNITS = pairs('DAILY day WEEKLY week MONTHLY month YEARLY year HOURLY hour MINUTELY minute')
const DAYS = pairs('SU Sunday MO Monday TU Tuesday WE Wednesday TH Thursday FR Friday SA Saturday')
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)
const ORDINALS = ['', 'first', 'second', 'third', 'fourth', 'fifth']
const MAX_DATES = 30
const AND = new Intl.ListFormat('en-GB', { type: 'conjunction' })
const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** The start of an entry in its local time, and a conversion of UTC times (`20240503T081200Z`) to it. */
export interface FirstTime {
  /** `2024-05-03T10:12:00`, or a date. */
  shown: string
  /** 0 is Sunday. */
  weekday: number
  local(utc: string): string
}

/**
 * Describes an entry's recurrence in sentences: `Repeats: every 2 weeks on Monday and Friday until 2024-12-31`,
 * `Not on: 2024-05-10`. UTC times are converted to the entry's time zone. `exceptions`: lines with occurrences that have
 * entries of their own.
 */
export function repetitionsOf(
  lines: readonly string[],
  first: FirstTime | null,
  exceptions: readonly string[] = [],
): string[] {
  const rule = lines.map(line => /^RRULE[^:]{0,100}:(.{1,500})$/i.exec(line)?.[1]).find(Boolean)
  return [
    labelled('Repeats', [rule === undefined ? '' : sentenceOf(partsOf(rule), first)]),
    datesOf(lines, 'RDATE', 'Also on', first),
    datesOf(lines, 'EXDATE', 'Not on', first),
    datesOf(exceptions, 'RECURRENCE-ID', 'Exceptions', first),
  ]
}

/** `FREQ=WEEKLY;INTERVAL=2` */
const partsOf = (rule: string) =>
  new Map(
    rule.split(';').map((part): [string, string] => {
      const [name = '', value = ''] = part.split('=')
      return [name.trim().toUpperCase(), value.trim()]
    }),
  )

type Parts = ReadonlyMap<string, string>

function sentenceOf(parts: Parts, first: FirstTime | null): string {
  const unit = UNITS.get(parts.get('FREQ')?.toUpperCase() ?? '')
  if (unit === undefined) return ''
  const interval = Number(parts.get('INTERVAL') ?? 1)
  const until = dateOf(parts.get('UNTIL') ?? '', first).slice(0, 10)
  const count = parts.get('COUNT')
  const months = listOf(parts, 'BYMONTH').map(month => MONTHS[Number(month) - 1] ?? '')
  const sentence = [
    `every ${interval > 1 ? `${interval} ${unit}s` : unit}`,
    phrase('on', daysOf(parts, unit, first)),
    clocksOf(parts, first),
    phrase('in week', listOf(parts, 'BYWEEKNO').map(fromEnd)),
    phrase('in', months),
    phrase('until', [until]),
  ]
  return `${joined(sentence, ' ')}${until === '' && count !== undefined ? `, ${count} times` : ''}`
}

const listOf = (parts: Parts, name: string) =>
  (parts.get(name) ?? '').split(',').filter(Boolean).slice(0, MAX_DATES)

function phrase(word: string, names: readonly string[]): string {
  const known = names.filter(name => name !== '')
  return known.length === 0 ? '' : `${word} ${AND.format(known)}`
}

/** `at 09:00 and 15:30`; empty if that is the start time. */
function clocksOf(parts: Parts, first: FirstTime | null): string {
  const usual = first?.shown.slice(11, 16) ?? ''
  const [hours, minutes] = ['BYHOUR', 'BYMINUTE'].map(name =>
    listOf(parts, name).map(number => number.padStart(2, '0')),
  ) as [string[], string[]]
  if (hours.length === 0) return phrase('at minute', minutes)
  const at = minutes.length > 0 ? minutes : [usual.slice(3) || '00']
  const clocks = hours.flatMap(hour => at.map(minute => `${hour}:${minute}`))
  return clocks.length === 1 && clocks[0] === usual ? '' : phrase('at', clocks)
}

/** `-1` → `last`, `-2` → `second to last` */
function placeOf(number: string): string | undefined {
  const place = Number(number)
  const ordinal = ORDINALS[Math.abs(place)] ?? `${Math.abs(place)}th`
  return place > 0 ? ordinal : place === -1 ? 'last' : place < 0 ? `${ordinal} to last` : undefined
}

const fromEnd = (number: string) => (number.startsWith('-') ? `${placeOf(number)} of the year` : number)

/** `Monday`, `the last Friday`, `day 15`. Weekly recurrences default to the weekday of the start. */
function daysOf(parts: Parts, unit: string, first: FirstTime | null): string[] {
  const places = listOf(parts, 'BYSETPOS').flatMap(place => placeOf(place) ?? [])
  const named = listOf(parts, 'BYDAY').flatMap(day => {
    const [, place = '', name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/i.exec(day) ?? []
    const known = DAYS.get(name.toUpperCase())
    const at = placeOf(place)
    return known === undefined ? [] : [at === undefined ? known : `the ${at} ${known}`]
  })
  const numberedBy = (name: string, of = '') =>
    listOf(parts, name).map(day => `${day.startsWith('-') ? `the ${placeOf(day)} day` : `day ${day}`}${of}`)
  const numbered = numberedBy('BYMONTHDAY')
  const ofYear = numberedBy('BYYEARDAY', ' of the year')
  const implied = unit === 'week' && first ? [...DAYS.values()].slice(first.weekday, first.weekday + 1) : []
  // Recurrence skips invalid dates (RFC 5545 §3.3.10).
  const isLeapDay = unit === 'year' && /^\d{4}-02-29/.test(first?.shown ?? '')
  if (isLeapDay && ![...parts.keys()].some(name => name.startsWith('BY')))
    return ['29 February, only in leap years']
  // Both conditions apply: Friday the 13th (RFC 5545 §3.3.10).
  const stated =
    named.length > 0 && numbered.length > 0
      ? [`${OR.format(named)}, if it is ${OR.format(numbered)}`]
      : [...named, ...numbered, ...ofYear]
  if (places.length === 0 || stated.length === 0) return stated.length > 0 ? stated : implied
  const [only] = stated
  // Outlook's form for a single weekday.
  return stated.length === 1 && only !== undefined && /^[A-Z]/.test(only)
    ? places.map(place => `the ${place} ${only}`)
    : [`the ${AND.format(places)} of ${AND.format(stated)}`]
}

/** Dates, with their time if it differs from the start time. */
function datesOf(lines: readonly string[], property: string, label: string, first: FirstTime | null): string {
  const usual = first?.shown.slice(11, 16) ?? ''
  const dates = lines
    .filter(line => line.slice(0, property.length).toUpperCase() === property)
    .flatMap(line => line.slice(line.lastIndexOf(':') + 1).split(','))
    .map(value => dateOf(value, first))
    .map(date => (date.slice(11) === usual || usual === '' ? date.slice(0, 10) : date))
  return labelled(label, [...new Set(dates)].slice(0, MAX_DATES))
}

/** `20240503T081200Z` → `2024-05-03 10:12`; a day without a time; empty for anything else. */
export function dateOf(value: string, first: FirstTime | null): string {
  const [, utc = ''] = /^\s{0,3}(\d{8}T\d{6}Z)/.exec(value) ?? []
  const shown = utc === '' || !first ? value : first.local(utc)
  const [, year, month, day, hour, minute] =
    /^\s{0,3}(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d))?/.exec(shown) ?? []
  if (year === undefined) return ''
  return `${year}-${month}-${day}${hour === undefined ? '' : ` ${hour}:${minute}`}`
}
