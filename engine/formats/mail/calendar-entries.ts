import ICAL from 'ical.js'
import type { GraphRecord, Parsed } from '../../graph/index.js'
import { baseName } from '../shared/file-name.js'
import type { Format } from '../shared/format.js'
import { checked } from '../shared/record.js'
import { labelled } from '../shared/values.js'
import { htmlLines } from '../web/html-lines.js'
import { dateOf, type FirstTime, repetitionsOf } from './calendar-repetition.js'
import { shownIn, timeOf } from './calendar-zone.js'
import { componentsOf, type RawComponent } from './content-lines.js'
import { type Person, personId, personName, personRecords } from './person.js'

const KINDS = new Set(['VEVENT', 'VTODO', 'VJOURNAL', 'VTIMEZONE'])
const TYPES: Readonly<Record<string, string>> = { VEVENT: 'event', VTODO: 'task', VJOURNAL: 'journal entry' }
const MAX_ZONES = 50
const MAX_WAITING = 4 * 1_048_576
/** Lines of an entry that identify it and the occurrence it replaces. */
const UID = /^UID[;:]/i
const REPLACED = /^RECURRENCE-ID[;:]/i
const MAX_PEOPLE = 100
const MAX_TEXT_LENGTH = 20_000
const MAX_NAME_LENGTH = 300

/** What is known of a calendar while its entries are read. */
interface Calendar {
  name: string
  /** The name of its file, and of its source if there are several. */
  title: string
  source: { source?: string }
  /** Time zone definitions read so far. */
  zones: string[]
  /** Changed occurrences by the series that they belong to. */
  exceptions: Map<string, string[]>
}

/** Reads the entries of a calendar one by one. Recurrences are described, not expanded. */
export const readCalendar: Format['parse'] = async function* (bytes, file) {
  const source = file?.notes ? { source: file.path } : {}
  const title = baseName(file?.path ?? 'calendar.ics')
  const calendar: Calendar = { name: '', title, source, zones: [], exceptions: new Map() }
  /** Pending entries and their characters: the exceptions of a series follow it as entries of their own. */
  let waiting: RawComponent[] = []
  let [count, length] = [0, 0]
  const header = (text: string) => {
    const [, name] = /^X-WR-CALNAME(?:;[^:]{0,100})?:(.{1,300})$/i.exec(text) ?? []
    if (name !== undefined) calendar.name = name.replace(/\\([,;\\])/g, '$1').trim()
  }
  for await (const items of componentsOf(bytes, KINDS, header)) {
    yield items.filter(item => 'problem' in item)
    for (const item of items.filter(item => 'kind' in item)) {
      count++
      if (item.kind !== 'VTIMEZONE') {
        noteException(item, calendar.exceptions)
        waiting.push(item)
        length += item.lines.reduce((sum, line) => sum + line.length, 0)
      } else if (calendar.zones.length < MAX_ZONES) calendar.zones.push(zoneOf(item))
    }
    if (length <= MAX_WAITING) continue
    for (const raw of waiting) yield recordsOf(raw, calendar)
    waiting = []
    length = 0
  }
  for (const raw of waiting) yield recordsOf(raw, calendar)
  if (count === 0) yield [{ line: 1, problem: 'This calendar has no entries.' }]
}

const lineIn = ({ lines }: RawComponent, name: RegExp) =>
  lines
    .find(line => name.test(line))
    ?.slice(0, 300)
    .trim() ?? ''

function noteException(entry: RawComponent, exceptions: Calendar['exceptions']): void {
  const replaced = lineIn(entry, REPLACED)
  const uid = lineIn(entry, UID)
  if (replaced !== '') exceptions.set(uid, [...(exceptions.get(uid) ?? []), replaced])
}

function recordsOf(raw: RawComponent, calendar: Calendar): Parsed[] {
  try {
    const lines = raw.lines.flatMap(line => (REPETITION.test(line) ? [] : dated(line)))
    const entry = parsed([...calendar.zones, ...lines]).getFirstSubcomponent(raw.kind.toLowerCase())
    return entry ? entryOf(raw, entry, calendar).map(record => checked(raw.line, record)) : []
  } catch (error) {
    return [
      { line: raw.line, problem: `This entry cannot be read: ${(error as Error).message.slice(0, 200)}.` },
    ]
  }
}

/** Parses an entry. If that fails, lines that are not valid properties are left out. */
function parsed(lines: readonly string[]): ICAL.Component {
  const parse = (some: readonly string[]) =>
    new ICAL.Component(ICAL.parse(['BEGIN:VCALENDAR', ...some, 'END:VCALENDAR'].join('\r\n')))
  try {
    return parse(lines)
  } catch {
    return parse(lines.filter(isProperty))
  }
}

function entryOf(raw: RawComponent, entry: ICAL.Component, calendar: Calendar): GraphRecord[] {
  const name = textOf(entry, 'summary').slice(0, MAX_NAME_LENGTH) || 'Entry without title'
  const uid = textOf(entry, 'uid').slice(0, 250)
  const type = TYPES[raw.kind] ?? ''
  const id = `${type} ${uid || `${name} ${textOf(entry, 'dtstart')}`}`
  const records: GraphRecord[] = [{ kind: 'entity', id, name, type }]
  const relate = (predicate: string, objects: readonly string[]) => {
    for (const object of objects.filter(Boolean))
      records.push({ kind: 'relation', subject: id, predicate, object: object.slice(0, MAX_NAME_LENGTH) })
  }
  const organizer = peopleOf(entry, 'organizer')
  const people = peopleOf(entry, 'attendee')
  const place = textOf(entry, 'location').replace(/,?\s{0,20}\n\s{0,20}/g, ', ')
  const isName = place.length <= 100 && !/^https?:/i.test(place)
  for (const person of [...organizer, ...people]) records.push(...personRecords(person))
  relate('organizer', organizer.map(personId))
  relate('attendee', people.map(personId))
  if (isName) relate('takes place at', [place])
  relate(
    'tagged',
    entry.getAllProperties('categories').flatMap(property => property.getValues().map(trimmed)),
  )
  relate('in calendar', [calendar.name])
  const start = timeIn(entry, 'dtstart') ?? timeIn(entry, 'due')
  const zone = zoneNameOf(entry, 'dtstart') || zoneNameOf(entry, 'due')
  const time = start ? timeOf(start, zone) : Number.NaN
  const first = start && firstOf(start, zone)
  const replaced = lineIn(raw, REPLACED)
  const exceptions = replaced === '' ? calendar.exceptions.get(lineIn(raw, UID)) : []
  const lines = [
    name,
    whenOf(entry, zone),
    replacedText(replaced, first),
    ...repetitionsOf(raw.lines, first, exceptions),
    labelled('Where', [place]),
    labelled('Organizer', organizer.map(shown)),
    labelled('With', people.map(shown)),
    labelled('Status', [textOf(entry, 'status').toLowerCase()]),
    labelled('Link', [textOf(entry, 'url')]),
    labelled('Call', [...new Set(CALLS.map(property => textOf(entry, property)))]),
    plainText(textOf(entry, 'description').slice(0, MAX_TEXT_LENGTH)),
  ]
  const day = start ? `, ${start.toString().slice(0, 10)}` : ''
  records.push({
    ...{ kind: 'passage', entity: id, text: lines.filter(each => each !== '').join('\n') },
    title: `${calendar.name || calendar.title} > ${name}${day}`,
    ...calendar.source,
    // Implausible times are left out.
    ...(Math.abs(time) < LATEST ? { time } : {}),
  })
  return records
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

const zoneOf = ({ lines }: RawComponent) =>
  lines.flatMap(line => (/^RRULE/i.test(line) && !YEARLY.test(line) ? [] : dated(line))).join('\r\n')

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

const shown = (person: Person) =>
  person.name === ''
    ? person.address
    : `${personName(person)}${person.address === '' ? '' : ` <${person.address}>`}`

const trimmed = (value: unknown) => (value === null || value === undefined ? '' : String(value).trim())
const textOf = (component: ICAL.Component, name: string) => trimmed(component.getFirstPropertyValue(name))

/** Calendar users other than people (RFC 5545 §3.2.3). */
const KINDS_OF: Readonly<Record<string, Pick<Person, 'kind'>>> = {
  ...{ room: { kind: 'room' }, resource: { kind: 'resource' }, group: { kind: 'group' } },
}

function peopleOf(component: ICAL.Component, name: string): Person[] {
  return component
    .getAllProperties(name)
    .slice(0, MAX_PEOPLE)
    .map(property => {
      const address = String(property.getFirstValue() ?? '').replace(/^"?mailto:\s{0,20}|"$/gi, '')
      return {
        name: String(property.getFirstParameter('cn') ?? '').trim(),
        address: address.includes('@') ? address : '',
        ...KINDS_OF[String(property.getFirstParameter('cutype') ?? '').toLowerCase()],
      }
    })
    .filter(person => personId(person) !== '')
}

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

const firstOf = (start: ICAL.Time, zone: string): FirstTime => ({
  shown: start.toString(),
  weekday: start.dayOfWeek() - 1,
  local: utc => shownIn(utc, start.zone, zone),
})

/** The occurrence of a series that a changed entry replaces (RFC 5545 §3.8.4.4). */
function replacedText(line: string, first: FirstTime | null): string {
  const date = dateOf(line.slice(line.lastIndexOf(':') + 1), first).replace(/ 00:00$/, '')
  return labelled('In place of', [date && /RANGE=THISANDFUTURE/i.test(line) ? `${date} and later` : date])
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
  const last = end ? clockOf(lastDayOf(start, end)) : ''
  const begin = clockOf(start)
  const isSameDay = last.slice(0, 10) === begin.slice(0, 10)
  const until = last && !isSameDay ? ` – ${last}` : last.length > 10 ? ` – ${last.slice(11)}` : ''
  return `When: ${begin}${until}${zone && ` (${zone})`}${dueBy && `\n${dueBy}`}`
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
