import type { Parsed } from '../../graph/index.js'
import { flatName as flat } from '../shared/flat.js'
import type { SourceFile } from '../shared/format.js'
import { pairs } from '../shared/pairs.js'
import { calendar, contacts } from './calendar.js'
import type { Storage } from './compound-file.js'
import type { MailMessage } from './mail-message.js'
import { HEAD, NamedProperties, Properties } from './outlook-properties.js'

/** An Outlook item other than mail, in an exchange format. */
export interface OutlookItem {
  format: 'calendar' | 'contacts'
  /** iCalendar or vCard. */
  text: string
}

/** Properties (MS-OXPROPS), and the sets of named properties. */
const CLASS = 0x001a
const [APPOINTMENT, TASK, ADDRESS] = [0x00062002, 0x00062003, 0x00062004]
const [START, END, PLACE, IS_WHOLE_DAY, REPETITION] = [0x820d, 0x820e, 0x8208, 0x8215, 0x8232]
const [TASK_START, TASK_DUE, TASK_STATUS, TASK_DONE] = [0x8104, 0x8105, 0x8101, 0x810f]
const STATES = ['NEEDS-ACTION', 'IN-PROCESS', 'COMPLETED', 'NEEDS-ACTION', 'CANCELLED']
const [NAME, GIVEN, FAMILY, NICKNAME] = [0x3001, 0x3a06, 0x3a11, 0x3a4f]
const [COMPANY, DEPARTMENT, JOB, BIRTHDAY, WEB] = [0x3a16, 0x3a18, 0x3a17, 0x3a42, 0x3a51]
const [SPOUSE, MANAGER] = [0x3a48, 0x3a4e]
/** Property ids and their uses. */
const PHONES = pairs(`0x3a08 work 0x3a1b work 0x3a09 home 0x3a2f home 0x3a1c cell 0x3a1a pref 0x3a24 work,fax
  0x3a25 home,fax 0x3a21 pager 0x3a1f other`)
const MAIL_ADDRESSES = [0x8083, 0x8093, 0x80a3]
const POSTAL = pairs('0x801a home 0x801b work 0x801c other')
const HALF_A_DAY = 43_200_000

/** An appointment, a task or a contact; null for mail and items read as mail: notes, posts, invitations. */
export function itemOf(root: Storage, message: MailMessage): OutlookItem | null {
  const properties = new Properties(root, HEAD.message)
  const kind = properties.text(CLASS).toLowerCase()
  const names = new NamedProperties(root)
  if (/^ipm\.(?:appointment|schedule\.meeting\.request)/.test(kind))
    return { format: 'calendar', text: eventOf(properties, names, message) }
  if (kind.startsWith('ipm.task')) return { format: 'calendar', text: taskOf(properties, names, message) }
  if (kind.startsWith('ipm.contact'))
    return { format: 'contacts', text: contactOf(properties, names, message) }
  return null
}

function eventOf(properties: Properties, names: NamedProperties, message: MailMessage): string {
  const id = (name: number) => names.id(APPOINTMENT, name)
  const isWholeDay = properties.number(id(IS_WHOLE_DAY)) === 1
  const when = isWholeDay ? nearestDay : moment
  const repeated = flat(properties.text(id(REPETITION)))
  return componentOf('VEVENT', message, [
    ...when('DTSTART', properties.time(id(START))),
    ...when('DTEND', properties.time(id(END))),
    ...line('LOCATION', flat(properties.text(id(PLACE)))),
    ...line('DESCRIPTION', [repeated, ...message.lines].join('\n').trim()),
  ])
}

function taskOf(properties: Properties, names: NamedProperties, message: MailMessage): string {
  const id = (name: number) => names.id(TASK, name)
  return componentOf('VTODO', message, [
    ...day('DTSTART', properties.time(id(TASK_START))),
    ...day('DUE', properties.time(id(TASK_DUE))),
    ...moment('COMPLETED', properties.time(id(TASK_DONE))),
    ...line('STATUS', STATES[properties.number(id(TASK_STATUS)) ?? -1] ?? ''),
    ...line('DESCRIPTION', message.lines.join('\n').trim()),
  ])
}

function componentOf(kind: string, { subject, from, to, cc }: MailMessage, lines: readonly string[]): string {
  const people = (property: string, some: MailMessage['from']) =>
    some.map(
      ({ name, address }) =>
        `${property};CN="${name.replace(/["\s]+/g, ' ')}":${address === '' ? '' : `mailto:${flat(address)}`}`,
    )
  return [
    'BEGIN:VCALENDAR',
    `BEGIN:${kind}`,
    ...line('SUMMARY', subject),
    ...people('ORGANIZER', from.slice(0, 1)),
    ...people('ATTENDEE', [...to, ...cc]),
    ...lines,
    `END:${kind}`,
    'END:VCALENDAR',
    '',
  ].join('\r\n')
}

function contactOf(properties: Properties, names: NamedProperties, message: MailMessage): string {
  const text = (id: number) => flat(properties.text(id))
  const named = (name: number) => flat(properties.text(names.id(ADDRESS, name)))
  const addresses = MAIL_ADDRESSES.map(named).filter(address => address.includes('@'))
  return [
    'BEGIN:VCARD',
    'VERSION:3.0',
    ...line('FN', text(NAME) || message.subject),
    `N:${escaped(text(FAMILY))};${escaped(text(GIVEN))};;;`,
    ...line('NICKNAME', text(NICKNAME)),
    `ORG:${[text(COMPANY), text(DEPARTMENT)].map(escaped).join(';')}`,
    ...line('TITLE', text(JOB)),
    ...addresses.flatMap(address => line('EMAIL', address)),
    ...[...PHONES].flatMap(([id, type]) => line(`TEL;TYPE=${type}`, text(Number(id)))),
    ...[...POSTAL].flatMap(([id, type]) => {
      const address = named(Number(id))
      return address === '' ? [] : [`ADR;TYPE=${type}:;;${escaped(address)};;;;`]
    }),
    ...day('BDAY', properties.time(BIRTHDAY)),
    ...line('URL', text(WEB)),
    ...line('X-SPOUSE', text(SPOUSE)),
    ...line('X-MANAGER', text(MANAGER)),
    ...line('NOTE', message.lines.join('\n').trim()),
    'END:VCARD',
    '',
  ].join('\r\n')
}

const escaped = (text: string) => text.replace(/[\\;,]/g, found => `\\${found}`).replace(/\r?\n/g, '\\n')

const line = (property: string, text: string): string[] =>
  text === '' ? [] : [`${property}:${escaped(text)}`]

const moment = (property: string, time: number | undefined): string[] =>
  time === undefined ? [] : [`${property}:${new Date(time).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`]

/** A day stored as midnight UTC. */
const day = (property: string, time: number | undefined): string[] =>
  time === undefined
    ? []
    : [`${property};VALUE=DATE:${new Date(time).toISOString().slice(0, 10).replaceAll('-', '')}`]

/** A day stored as midnight in an unknown time zone: the nearest date. */
const nearestDay = (property: string, time: number | undefined): string[] =>
  day(property, time === undefined ? undefined : time + HALF_A_DAY)

/** The records of an appointment, a task or a contact, as in a calendar or contact list, and its text. */
export async function* outlookItemRecords(
  file: SourceFile | undefined,
  { format, text }: OutlookItem,
): AsyncGenerator<Parsed[]> {
  const bytes = async function* () {
    yield Buffer.from(text)
  }
  let isNamed = false
  for await (const batch of (format === 'calendar' ? calendar : contacts).parse(bytes(), file)) {
    for (const parsed of batch) {
      if (!('record' in parsed)) continue
      const { record } = parsed
      // The item comes before its people.
      if (record.kind === 'entity' && !isNamed) file?.document?.about({ title: record.name })
      isNamed = true
      if (record.kind !== 'passage') continue
      const { time } = record
      // Two spaces keep the line breaks of a passage.
      file?.document?.write(`${record.text.replaceAll('\n', '  \n')}\n`)
      if (time !== undefined) file?.document?.about({ time })
    }
    // The file is binary, so its records have no lines.
    yield batch.map(parsed => ({ ...parsed, line: 1 }))
  }
}
