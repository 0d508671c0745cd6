#!/bin/sh
# Times that a clock shows never or twice, in ical.js.
#
# Expected: RFC 5545 §3.3.5. A local time in the gap of spring is interpreted with the offset before the gap, one that
# occurs twice in autumn is the first. In New York, 2025-03-09 02:30 is 07:30 UTC and 2025-11-02 01:30 is 05:30 UTC.
# Happens: ical.js 2.2.1 takes the offset after the change both times: 06:30 UTC in spring, 06:30 UTC in autumn.
# Why it matters: an event is an hour off; in spring it lies before events that its calendar shows before it.
# What to do: compare the offset of the day before with that of the time, as engine/formats/mail/calendar-zone.ts does.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent ical.js@2.2.1
cat >try.mjs <<'JS'
import ICAL from 'ical.js'
const zone = `BEGIN:VTIMEZONE
TZID:America/New_York
BEGIN:STANDARD
DTSTART:20071104T020000
RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU
TZOFFSETFROM:-0400
TZOFFSETTO:-0500
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:20070311T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU
TZOFFSETFROM:-0500
TZOFFSETTO:-0400
END:DAYLIGHT
END:VTIMEZONE`
const instant = time => {
  const text = `BEGIN:VCALENDAR\n${zone}\nBEGIN:VEVENT\nDTSTART;TZID=America/New_York:${time}\nEND:VEVENT\nEND:VCALENDAR`
  const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent')
  return new Date(event.getFirstPropertyValue('dtstart').toUnixTime() * 1000).toISOString()
}
const found = [instant('20250309T023000'), instant('20251102T013000')]
console.log('ical.js 2.2.1:', found.join(', '), '(RFC 5545: 2025-03-09T07:30:00.000Z, 2025-11-02T05:30:00.000Z)')
process.exit(found.join() === '2025-03-09T06:30:00.000Z,2025-11-02T06:30:00.000Z' ? 0 : 1)
JS
node try.mjs
