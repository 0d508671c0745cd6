import { type Format, lazily } from '../shared/format.js'

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
