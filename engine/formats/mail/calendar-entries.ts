import ICAL from 'ical.js'
import type { GraphRecord, Parsed } from '../../graph/index.js'
import { baseName } from '../shared/file-name.js'
import type { SourceFile } from '../shared/format.js'
import { checked } from '../shared/record.js'
import { htmlLines } from '../web/html-lines.js'
import { dateOf, type FirstTime, repetitionsOf } from './calendar-repetition.js'
import { shownIn, timeOf } from './calendar-zone.js'
import { componentsOf, propertyLines, type RawComponent } from './content-lines.js'
import { type Person, personId, personName, personRecords } from './person.js'

const KINDS = new Set(['VEVENT', 'VTODO', 'VJOURNAL', 'VTIMEZONE'])
const TYPES: Readonly<Record<string, string>> = { VEVENT: 'event', VTODO: 'task', VJOURNAL: 'journal entry' }
const MAX_ZONES = 50
const MAX_WAITING = 4 * 1_048_576
/** Lines of an entry that identify it and the occurrence it replaces. */
const UID = /^UID[;:].{1,300}/im
const REPLACED = /^RECURRENCE-ID[;:].{1,200}/im
const MAX_PEOPLE = 100
const MAX_TEXT_LENGTH = 20_000
const MAX_NAME_LENGTH = 300

/** Reads the entries of a calendar one by one. Recurrences are described, not expanded. */
export class CalendarReader {
  readonly #title: string
  readonly #source: { source?: string }
  /** Time zone definitions read so far. */
  #zones: string[] = []
  #name = ''
  #count = 0
  /** Pending entries and their characters: the exceptions of a series follow it as entries of their own. */
  #waiting: RawComponent[] = []
  #length = 0
  readonly #exceptions = new Map<string, string[]>()

  constructor(file: SourceFile | undefined) {
    this.#title = baseName(file?.path ?? 'calendar.ics')
    this.#source = file?.notes ? { source: file.path } : {}
  }

  async *read(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Parsed[]> {
    const header = (text: string) => {
      const [, name] = /^X-WR-CALNAME(?:;[^:]{0,100})?:(.{1,300})$/i.exec(text) ?? []
      if (name !== undefined) this.#name = name.replace(/\\([,;\\])/g, '$1').trim()
    }
    for await (const items of componentsOf(bytes, KINDS, header)) {
      yield items.filter(item => 'problem' in item)
      for (const item of items) if ('kind' in item) this.#add(item)
      if (this.#length > MAX_WAITING) yield* this.#waited()
    }
    yield* this.#waited()
    if (this.#count === 0) yield [{ line: 1, problem: 'This calendar has no entries.' }]
  }

  #add(raw: RawComponent): void {
    this.#count++
    if (raw.kind === 'VTIMEZONE') {
      if (this.#zones.length < MAX_ZONES) this.#zones.push(zoneOf(raw.text))
      return
    }
    const [uid = '', replaced = ''] = [UID, REPLACED].map(line => line.exec(raw.text)?.[0].trim())
    const exceptions = this.#exceptions.get(uid) ?? []
    if (replaced !== '') exceptions.push(replaced)
    if (replaced !== '') this.#exceptions.set(uid, exceptions)
    this.#waiting.push(raw)
    this.#length += raw.text.length
  }

  *#waited(): Generator<Parsed[]> {
    for (const raw of this.#waiting) yield this.#recordsOf(raw)
    this.#waiting = []
    this.#length = 0
  }

  #recordsOf(raw: RawComponent): Parsed[] {
    try {
      const lines = propertyLines(raw.text).flatMap(line => (REPETITION.test(line) ? [] : dated(line)))
      const entry = this.#parsed(lines).getFirstSubcomponent(raw.kind.toLowerCase())
      return entry ? this.#entry(raw, entry) : []
    } catch (error) {
      return [
        { line: raw.line, problem: `This entry cannot be read: ${(error as Error).message.slice(0, 200)}.` },
      ]
    }
  }

  /** Parses an entry. If that fails, lines that are not valid properties are left out. */
  #parsed(lines: readonly string[]): ICAL.Component {
    const parse = (some: readonly string[]) =>
      new ICAL.Component(ICAL.parse(['BEGIN:VCALENDAR', ...some, 'END:VCALENDAR'].join('\r\n')))
    try {
      return parse([...this.#zones, ...lines])
    } catch {
      return parse([...this.#zones, ...lines].filter(isProperty))
    }
  }

  #entry({ line, kind, text }: RawComponent, entry: ICAL.Component): Parsed[] {
    const name = textOf(entry, 'summary').slice(0, MAX_NAME_LENGTH) || 'Entry without title'
    const uid = textOf(entry, 'uid').slice(0, 250)
    const id = uid === '' ? `${TYPES[kind]} ${name} ${textOf(entry, 'dtstart')}` : `${TYPES[kind]} ${uid}`
    const type = TYPES[kind]
    const records: GraphRecord[] = [{ kind: 'entity', id, name, ...(type === undefined ? {} : { type }) }]
    const relate = (predicate: string, object: string) => {
      if (object !== '')
        records.push({ kind: 'relation', subject: id, predicate, object: object.slice(0, MAX_NAME_LENGTH) })
    }
    const organizer = peopleOf(entry, 'organizer')
    const people = peopleOf(entry, 'attendee')
    const place = textOf(entry, 'location').replace(/,?\s{0,20}\n\s{0,20}/g, ', ')
    const isName = place.length <= 100 && !/^https?:/i.test(place)
    for (const person of [...organizer, ...people]) records.push(...personRecords(person))
    for (const person of organizer) relate('organizer', personId(person))
    for (const person of people) relate('attendee', personId(person))
    if (isName) relate('takes place at', place)
    for (const tag of listOf(entry, 'categories')) relate('tagged', tag)
    if (this.#name !== '') relate('in calendar', this.#name)
    const start = timeIn(entry, 'dtstart') ?? timeIn(entry, 'due')
    const zone = zoneNameOf(entry, 'dtstart') || zoneNameOf(entry, 'due')
    const time = millisecondsOf(start, zone)
    const first = start && firstOf(start, zone)
    const exceptions = REPLACED.test(text) ? [] : this.#exceptions.get(UID.exec(text)?.[0].trim() ?? '')
    const lines = [
      name,
      whenOf(entry, zone),
      ...replacedIn(text, first),
      ...repetitionsOf(text, first, exceptions),
      ...labelled('Where', [place]),
      ...labelled('Organizer', organizer.map(shown)),
      ...labelled('With', people.map(shown)),
      ...labelled('Status', [textOf(entry, 'status').toLowerCase()]),
      ...labelled('Link', [textOf(entry, 'url')]),
      ...labelled('Call', [...new Set(CALLS.map(property => textOf(entry, property)))]),
      plainText(textOf(entry, 'description').slice(0, MAX_TEXT_LENGTH)),
    ]
    const day = start ? `, ${start.toString().slice(0, 10)}` : ''
    records.push({
      kind: 'passage',
      entity: id,
      title: `${this.#name || this.#title} > ${name}${day}`,
      text: lines.filter(each => each !== '').join('\n'),
      ...this.#source,
      ...(time === undefined ? {} : { time }),
    })
    return records.map(record => checked(line, record))
  }
}

function isProperty(line: string): boolean {
  if (/^(?:BEGIN|END):/i.test(line)) return true
  try {
    return ICAL.parse.property(line).length > 0
  } catch {
    return false
  }
}

/** Recurrence rules are not needed to parse an entry, and are often invalid. */
const REPETITION = /^(?:RRULE|EXRULE|RDATE|EXDATE)[;:]/i

const MOMENT =
  /^(DTSTART|DTEND|DUE|RECURRENCE-ID|DTSTAMP|CREATED|COMPLETED|LAST-MODIFIED)((?:;(?:[^":]|"[^"]{0,200}"){0,200})?):(.{0,200})$/i

/** Yearly rules. The library computes every change of a zone up to a date, and legal changes are at most yearly. */
const YEARLY =
  /^RRULE:(?=.{0,80}FREQ=YEARLY)(?=.{0,80}BYMONTH=(?:[1-9]|1[0-2])(?:;|$))(?:(?:FREQ=YEARLY|BYMONTH=\d{1,2}|BYDAY=[+-]?[1-4](?:SU|MO|TU|WE|TH|FR|SA)|WKST=[A-Z]{2}|UNTIL=\d{8}T\d{6}Z?)(?:;|$)){2,5}$/i

const zoneOf = (text: string) =>
  propertyLines(text)
    .flatMap(line => (/^RRULE/i.test(line) && !YEARLY.test(line) ? [] : dated(line)))
    .join('\r\n')

/** Range of supported years. */
const [FIRST_YEAR, LAST_YEAR] = [1600, 2100]

/** Adds the missing VALUE=DATE to a line with a day, and drops invalid dates. */
function dated(line: string): string[] {
  const [, name = '', parameters = '', value = ''] = MOMENT.exec(line) ?? []
  if (name === '') return [line]
  const year = Number(value.trim().slice(0, 4))
  if (!(year >= FIRST_YEAR && year <= LAST_YEAR)) return []
  if (/^\d{8}$/.test(value.trim())) return [`${name};VALUE=DATE:${value.trim()}`]
  return /^\d{8}T\d{6}Z?$/.test(value.trim()) ? [`${name}${parameters}:${value.trim()}`] : []
}

/** Links to online meetings: RFC 7986, and the forms of Google and Outlook. */
const CALLS = ['conference', 'x-google-conference', 'x-microsoft-skypeteamsmeetingurl']

/** Google Calendar writes descriptions as HTML mixed with plain line breaks. */
function plainText(text: string): string {
  return MARKUP.test(text) ? htmlLines(text.replaceAll('\n', '<br>')).join('\n').trim() : text
}

const MARKUP = /<(?:br|p|html-blob)(?:\s[^<>]{0,500})?\/?>|<\/(?:p|b|i|u|a|ul|ol|li|div|span|strong|em)>/i

const labelled = (label: string, values: readonly string[]) => {
  const some = values.filter(value => value !== '')
  return some.length === 0 ? [] : [`${label}: ${some.join(', ')}`]
}

const shown = (person: Person) =>
  person.name === ''
    ? person.address
    : `${personName(person)}${person.address === '' ? '' : ` <${person.address}>`}`

function textOf(component: ICAL.Component, name: string): string {
  const value: unknown = component.getFirstPropertyValue(name)
  return value === null || value === undefined ? '' : String(value).trim()
}

const listOf = (component: ICAL.Component, name: string): string[] =>
  component
    .getAllProperties(name)
    .flatMap(property => property.getValues().map(value => String(value).trim()))

function peopleOf(component: ICAL.Component, name: string): Person[] {
  return component
    .getAllProperties(name)
    .slice(0, MAX_PEOPLE)
    .map(property => {
      const address = String(property.getFirstValue() ?? '').replace(/^"?mailto:\s{0,20}|"$/gi, '')
      return {
        name: String(property.getFirstParameter('cn') ?? '').trim(),
        address: address.includes('@') ? address : '',
        ...kindOf(String(property.getFirstParameter('cutype') ?? '').toLowerCase()),
      }
    })
    .filter(person => personId(person) !== '')
}

/** RFC 5545 §3.2.3 */
const kindOf = (type: string): Pick<Person, 'kind'> =>
  type === 'room' || type === 'resource' || type === 'group' ? { kind: type } : {}

function timeIn(component: ICAL.Component, name: string): ICAL.Time | null {
  const value: unknown = component.getFirstPropertyValue(name)
  return value instanceof ICAL.Time ? value : null
}

const LATEST = Date.UTC(2200, 0)

/** The name of a time's zone, even if the file does not define it. */
function zoneNameOf(entry: ICAL.Component, property: string): string {
  const time = timeIn(entry, property)
  if (!time || time.isDate) return ''
  if (time.zone && time.zone.tzid !== 'floating') return time.zone.tzid
  return String(entry.getFirstProperty(property)?.getFirstParameter('tzid') ?? '').slice(0, 100)
}

/** Undefined for an implausible time. */
function millisecondsOf(time: ICAL.Time | null, zone: string): number | undefined {
  const value = time ? timeOf(time, zone) : Number.NaN
  return Number.isFinite(value) && Math.abs(value) < LATEST ? value : undefined
}

const firstOf = (start: ICAL.Time, zone: string): FirstTime => ({
  shown: start.toString(),
  weekday: start.dayOfWeek() - 1,
  local: utc => shownIn(utc, start.zone, zone),
})

/** The occurrence of a series that a changed entry replaces (RFC 5545 §3.8.4.4). */
function replacedIn(text: string, first: FirstTime | null): string[] {
  const line = propertyLines(text).find(each => /^RECURRENCE-ID[;:]/i.test(each)) ?? ''
  const replaced = dateOf(line.slice(line.lastIndexOf(':') + 1), first)
  if (replaced === '') return []
  return [
    `In place of: ${replaced.replace(/ 00:00$/, '')}${/RANGE=THISANDFUTURE/i.test(line) ? ' and later' : ''}`,
  ]
}

/** `When: 2024-05-03 10:12 – 11:00 (Europe/Oslo)`; without times for whole days. */
function whenOf(entry: ICAL.Component, zone: string): string {
  const start = timeIn(entry, 'dtstart')
  const due = timeIn(entry, 'due')
  const dueZone = zoneNameOf(entry, 'due')
  const dueBy = due ? `Due: ${clockOf(due)}${dueZone && ` (${dueZone})`}` : ''
  if (!start) return dueBy
  const duration: unknown = entry.getFirstPropertyValue('duration')
  const end = timeIn(entry, 'dtend') ?? (duration instanceof ICAL.Duration ? plus(start, duration) : null)
  const last = end && lastDayOf(start, end)
  const until =
    last && !isSameDay(start, last)
      ? ` – ${clockOf(last)}`
      : last && !last.isDate
        ? ` – ${clockOf(last).slice(11)}`
        : ''
  return `When: ${clockOf(start)}${until}${zone && ` (${zone})`}${dueBy && `\n${dueBy}`}`
}

/** Maximum seconds; the library adds days one by one. */
const MAX_DURATION = 366 * 86_400

function plus(time: ICAL.Time, duration: ICAL.Duration): ICAL.Time | null {
  if (Math.abs(duration.toSeconds()) > MAX_DURATION) return null
  const later = time.clone()
  later.addDuration(duration)
  return later
}

const clockOf = (time: ICAL.Time) =>
  time
    .toString()
    .replace('T', ' ')
    .replace(/Z$/, '')
    .slice(0, time.isDate ? 10 : 16)

/** The last day of an entry. Its DTEND is the day after (RFC 5545 §3.6.1); an end before the start is ignored. */
function lastDayOf(start: ICAL.Time, end: ICAL.Time): ICAL.Time {
  if (!end.isDate) return end
  const last = end.clone()
  last.adjust(-1, 0, 0, 0)
  return last.compare(start) < 0 ? start : last
}

const isSameDay = (start: ICAL.Time, end: ICAL.Time) =>
  start.toString().slice(0, 10) === end.toString().slice(0, 10)
