import { type Format, lazily } from '../shared/format.js'

/** File names in a Maildir of Dovecot, mutt or isync end with flags. */
const MAILDIR = /:2,[A-Za-z]{0,20}$/
/** Header lines that only occur in mail. */
const HEADER =
  '(?:return-path|received|delivered-to|message-id|mime-version|x-gm-thrid|authentication-results):'
const VALUE = String.raw`[^\n]{0,400}\n(?:[ \t][^\n]{0,400}\n){0,20}`
const FIELD = String.raw`[\w-]{1,60}:${VALUE}`

/** Three consecutive common header lines, including the subject. */
const WRITTEN = `(?=(?:${FIELD}){0,3}subject:)(?:(?:from|to|cc|reply-to|subject|date):${VALUE}){3}`

/** A message as a file (RFC 5322), also from Apple Mail (`.emlx`), which begins with its length. */
export const mail: Format = {
  id: 'mail',
  title: 'Mail message',
  // Programs other than Outlook also use `.msg`.
  extensions: ['eml', 'emlx', 'msg'],
  names: MAILDIR,
  isBinary: true,
  begins: /^[\w-]{1,60}:/,
  tells: new RegExp(`^(?:\\d{1,9}\\s{0,3}\\n)?(?:(?:${FIELD}){0,6}${HEADER}|${WRITTEN})`, 'i'),
  parse: lazily(async () => (await import('./mailbox.js')).readMail),
}

/** A message saved by Outlook. */
export const outlook: Format = {
  id: 'outlook',
  title: 'Outlook message',
  extensions: ['msg'],
  isBinary: true,
  signature: ({ bytes, extension }) =>
    bytes.subarray(0, OLE.length).equals(OLE) && (extension === 'msg' || bytes.includes(PROPERTIES)),
  parse: lazily(async () => (await import('./outlook-message.js')).readOutlook),
}

/** The signature of a compound file, and a stream name that only Outlook messages contain. */
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const PROPERTIES = Buffer.from('__properties_version1.0', 'utf16le')

/** All messages of a folder in one file (RFC 4155): Thunderbird, Google Takeout, Apple Mail. */
export const mbox: Format = {
  id: 'mbox',
  title: 'Mailbox',
  extensions: ['mbox', 'mbx'],
  isBinary: true,
  hasParts: true,
  tells: /^From \S{1,300} [^\n]{8,80}\n[\w-]{1,60}:/,
  parse: lazily(async () => (await import('./mailbox.js')).readMailbox),
}

/** A calendar (iCalendar, RFC 5545): events and tasks with times and people. */
export const calendar: Format = {
  id: 'calendar',
  title: 'Calendar',
  extensions: ['ics', 'ical', 'ifb', 'icalendar'],
  mayBeLegacy: true,
  isFolded: true,
  tells: /^BEGIN:VCALENDAR\s/i,
  parse: lazily(async () => (await import('./calendar-entries.js')).readCalendar),
}

/** Contacts (vCard 2.1 to 4, RFC 6350): people with all names and addresses. */
export const contacts: Format = {
  id: 'contacts',
  title: 'Contacts',
  extensions: ['vcf', 'vcard'],
  mayBeLegacy: true,
  isFolded: true,
  tells: /^BEGIN:VCARD\s/i,
  parse: lazily(async () => (await import('./contact-cards.js')).readContacts),
}
