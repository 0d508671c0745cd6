import ICAL from 'ical.js'
import { findIana } from 'windows-iana'

/** The time that a clock shows at a time, both in milliseconds since 1970; the first as if it was UTC. */
type Clock = (time: number) => number

/** Recently used clocks by the name of their zone. */
const CLOCKS = new Map<string, Clock | null>()
const MAX_CLOCKS = 50
const DAY = 86_400_000

/**
 * A calendar time in milliseconds since 1970. `zone`: the zone name, even if the file does not define it. Local times that
 * a clock change skips use the offset before the change. Of repeated times, the first one counts
 * (RFC 5545 §3.3.5). The library uses the offset after the change for both.
 */
export function timeOf(time: ICAL.Time, zone: string): number {
  if (time.isDate) return Date.parse(time.toString())
  const shown = time.toUnixTime() * 1000
  if (time.zone.tzid === 'floating') return timeBy(clockOf(zone), shown)
  const earlier = time.clone()
  earlier.adjust(-1, 0, 0, 0)
  const [before, now] = [earlier.utcOffset(), time.utcOffset()]
  if (now === before) return shown
  const asBefore = time.clone()
  asBefore.adjust(0, 0, 0, -Math.abs(now - before))
  return shown + (asBefore.utcOffset() === before ? now - before : 0) * 1000
}

function timeBy(clock: Clock | null, shown: number): number {
  if (!clock) return shown
  const [before, after] = [shown - DAY, shown + DAY].map(time => shown - (clock(time) - time))
  return [before, after].find(time => time !== undefined && clock(time) === shown) ?? before ?? shown
}

/** A UTC time (`20240503T081200Z`) as local time of a zone, in ISO 8601. */
export function shownIn(utc: string, zone: ICAL.Timezone | undefined, name: string): string {
  const iso = utc.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  const time = Date.parse(iso)
  if (Number.isNaN(time)) return iso
  if (zone && zone.tzid !== 'floating')
    return ICAL.Time.fromJSDate(new Date(time), true).convertToZone(zone).toString()
  return new Date(clockOf(name)?.(time) ?? time).toISOString()
}

/** The clock of a zone; null for an unknown one. */
function clockOf(name: string): Clock | null {
  const known = CLOCKS.get(name)
  if (known !== undefined) return known
  if (CLOCKS.size >= MAX_CLOCKS) CLOCKS.clear()
  const clock = newClock(name)
  CLOCKS.set(name, clock)
  return clock
}

function newClock(zone: string): Clock | null {
  // The name of an Exchange zone has its offset: `(UTC+07:00) Bangkok, Hanoi, Jakarta`.
  const [exchange, sign, hours = 0, minutes = 0] =
    /^\((?:UTC|GMT) ?(?:([+-])(\d\d):(\d\d))?\)/.exec(zone) ?? []
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
  if (exchange !== undefined) return time => time + offset
  // Evolution and Lightning write paths: `/citadel.org/20260101_1/Europe/Oslo`; Outlook writes Windows names.
  const name = zone.replace(/^(?:\/.{1,100}\/(?=[A-Z]\w{1,20}\/\w{1,30}$)|tzone:\/\/Microsoft\/)/, '')
  const [timeZone = name] = findIana(name)
  try {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    // `2024-05-03 10:12:00`
    return time => Date.parse(`${format.format(time)}Z`)
  } catch {
    return null
  }
}
