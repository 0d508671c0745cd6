import type { Parsed } from '../../graph/index.js'
import { flatName as flat } from '../shared/flat.js'
import type { SourceFile } from '../shared/format.js'
import { pairs } from '../shared/pairs.js'
import { only } from '../shared/whole-file.js'
import type { MailMessage } from './mail-message.js'
import { FIRST_NAMED, type OutlookPart } from './outlook-part.js'

/** An Outlook item other than mail, in an exchange format. */
interface OutlookItem {
  format: 'calendar' | 'contacts'
  /** iCalendar or vCard. */
  text: string
}

const CLASS = 0x001a
/**
 * Items by their class, with the set of their named properties, and properties of iCalendar or vCard by the ids of
 * Outlook's (MS-OXPROPS): named ones from 8000 on, or several for a structured value.
 */
const ITEMS = [
  {
    is: /^ipm\.(?:appointment|schedule\.meeting\.request)/,
    ...{ kind: 'VEVENT', set: 0x00062002 },
    properties: pairs('820d DTSTART 820e DTEND 8208 LOCATION 8232 DESCRIPTION'),
  },
  {
    is: /^ipm\.task/,
    ...{ kind: 'VTODO', set: 0x00062003 },
    properties: pairs('8104 DTSTART;VALUE=DATE 8105 DUE;VALUE=DATE 810f COMPLETED 8101 STATUS'),
  },
  {
    is: /^ipm\.contact/,
    ...{ kind: 'VCARD', set: 0x00062004 },
    properties: pairs(`3001 FN 3a11,3a06 N 3a4f NICKNAME 3a16,3a18 ORG 3a17 TITLE 8083 EMAIL 8093 EMAIL
      80a3 EMAIL 3a08 TEL;TYPE=work 3a1b TEL;TYPE=work 3a09 TEL;TYPE=home 3a2f TEL;TYPE=home
      3a1c TEL;TYPE=cell 3a1a TEL;TYPE=pref 3a24 TEL;TYPE=work,fax 3a25 TEL;TYPE=home,fax 3a21 TEL;TYPE=pager
      3a1f TEL;TYPE=other ,,801a ADR;TYPE=home ,,801b ADR;TYPE=work ,,801c ADR;TYPE=other
      3a42 BDAY;VALUE=DATE 3a51 URL 3a48 X-SPOUSE 3a4e X-MANAGER`),
  },
]
const IS_WHOLE_DAY = 0x8215
const STATES = ['NEEDS-ACTION', 'IN-PROCESS', 'COMPLETED', 'NEEDS-ACTION', 'CANCELLED']
const HALF_A_DAY = 43_200_000

/** An appointment, a task or a contact; null for mail and items read as mail: notes, posts, invitations. */
export function itemOf(part: OutlookPart, message: MailMessage): OutlookItem | null {
  const written = part.text(CLASS).toLowerCase()
  const item = ITEMS.find(({ is }) => is.test(written))
  if (!item) return null
  const { kind, set, properties } = item
  const names = part.names(set)
  const idOf = (id: number) => (id < FIRST_NAMED ? id : (names.get(id) ?? -1))
  const isWholeDay = part.number(idOf(IS_WHOLE_DAY)) === 1
  const own = [...properties].flatMap(([ids, property]) => {
    const known = ids.split(',').map(id => idOf(Number.parseInt(id, 16)))
    return lineOf(part, known, isWholeDay ? property.replace(/^DT.*/, '$&;VALUE=DATE') : property, isWholeDay)
  })
  const text = message.lines.join('\n').trim()
  if (kind === 'VCARD') {
    const name = own.some(line => line.startsWith('FN:')) ? [] : line('FN', message.subject)
    return {
      format: 'contacts',
      text: component(kind, ['VERSION:3.0', ...name, ...own, ...line('NOTE', text)]),
    }
  }
  const lines = [...line('SUMMARY', message.subject), ...peopleOf(message), ...own]
  // The recurrence in words comes before the text.
  const described = lines.findIndex(line => line.startsWith('DESCRIPTION:'))
  if (described < 0) lines.push(...line('DESCRIPTION', text))
  else lines[described] += escaped(`\n${text}`)
  return { format: 'calendar', text: component('VCALENDAR', [component(kind, lines).trim()]) }
}

const component = (kind: string, lines: readonly string[]) =>
  [`BEGIN:${kind}`, ...lines, `END:${kind}`, ''].join('\r\n')

function lineOf(part: OutlookPart, ids: readonly number[], property: string, isWholeDay: boolean): string[] {
  const [id = -1] = ids
  if (property === 'STATUS') return line(property, STATES[part.number(id) ?? -1] ?? '')
  if (!/^(?:DT|DUE|COMPLETED|BDAY)/.test(property)) {
    const texts = ids.map(id => flat(part.text(id)))
    if (property === 'EMAIL' && !texts[0]?.includes('@')) return []
    return texts.some(Boolean) ? [`${property}:${texts.map(escaped).join(';')}`] : []
  }
  const time = part.time(id)
  if (time === undefined) return []
  // A day is stored as midnight UTC or, in an appointment, in an unknown time zone: the nearest date.
  const iso = new Date(isWholeDay ? time + HALF_A_DAY : time).toISOString().replace(/[-:]|\.\d{3}/g, '')
  return [`${property}:${property.includes('DATE') ? iso.slice(0, 8) : iso}`]
}

function peopleOf({ from, to, cc }: MailMessage): string[] {
  const people = (property: string, some: MailMessage['from']) =>
    some.map(
      ({ name, address }) =>
        `${property};CN="${name.replace(/["\s]+/g, ' ')}":${address === '' ? '' : `mailto:${flat(address)}`}`,
    )
  return [...people('ORGANIZER', from.slice(0, 1)), ...people('ATTENDEE', [...to, ...cc])]
}

const escaped = (text: string) => text.replace(/[\\;,]/g, found => `\\${found}`).replace(/\r?\n/g, '\\n')

const line = (property: string, text: string): string[] =>
  text === '' ? [] : [`${property}:${escaped(text)}`]

/** The records of an appointment, a task or a contact, as in a calendar or contact list, and its text. */
export async function* outlookItemRecords(
  file: SourceFile | undefined,
  { format, text }: OutlookItem,
): AsyncGenerator<Parsed[]> {
  let isNamed = false
  const read =
    format === 'calendar'
      ? (await import('./calendar-entries.js')).readCalendar
      : (await import('./contact-cards.js')).readContacts
  for await (const batch of read(only(Buffer.from(text)), file)) {
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
