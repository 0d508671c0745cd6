import ICAL from 'ical.js'
import { findIana } from 'windows-iana'

/** Recently used date formatters by zone name. */
const CLOCKS = new Map<string, Intl.DateTimeFormat | null>()
const MAX_CLOCKS = 50
const DAY = 86_400_000

/**
 * A calendar time in milliseconds since 1970. `zone`: the zone name, even if the file does not define it. Local times that
 * a clock change skips use the offset before the change. Of repeated times, the first one counts
 * (RFC 5545 §3.3.5). The library uses the offset after the change for both.
 */
export function timeOf(time: ICAL.Time, zone: string): number {
  if (time.isDate) return Date.parse(time.toString())
  if (time.zone.tzid === 'floating') {
    const shown = time.toUnixTime() * 1000
    return timeInZone(shown, zone) ?? shown
  }
  const earlier = time.clone()
  earlier.adjust(-1, 0, 0, 0)
  const [before, now] = [earlier.utcOffset(), time.utcOffset()]
  if (now === before) return time.toUnixTime() * 1000
  const asBefore = time.clone()
  asBefore.adjust(0, 0, 0, -Math.abs(now - before))
  return (time.toUnixTime() + (asBefore.utcOffset() === before ? now - before : 0)) * 1000
}

/** The same for a local time given as if in UTC; null for an unknown zone. */
function timeInZone(shown: number, zone: string): number | null {
  const offset = offsetIn(zone)
  if (offset !== null) return shown - offset
  const clock = zone === '' ? null : clockOf(zone)
  if (!clock) return null
  const [before, after] = [shown - DAY, shown + DAY].map(time => shown - (shownBy(clock, time) - time))
  return [before, after].find(time => time !== undefined && shownBy(clock, time) === shown) ?? before ?? shown
}

/** A UTC time (`20240503T081200Z`) as local time of a zone, in ISO 8601. */
export function shownIn(utc: string, zone: ICAL.Timezone | undefined, name: string): string {
  const iso = utc.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  const time = Date.parse(iso)
  if (Number.isNaN(time)) return iso
  if (zone && zone.tzid !== 'floating')
    return ICAL.Time.fromJSDate(new Date(time), true).convertToZone(zone).toString()
  const offset = offsetIn(name)
  const clock = name === '' || offset !== null ? null : clockOf(name)
  return new Date(clock ? shownBy(clock, time) : time + (offset ?? 0)).toISOString()
}

/** Offset in milliseconds from the name of an Exchange zone: `(UTC+07:00) Bangkok, Hanoi, Jakarta`. */
function offsetIn(zone: string): number | null {
  const found = /^\((?:UTC|GMT) ?(?:([+-])(\d\d):(\d\d))?\)/.exec(zone)
  if (!found) return null
  const [, sign, hours = 0, minutes = 0] = found
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

function clockOf(zone: string): Intl.DateTimeFormat | null {
  const known = CLOCKS.get(zone)
  if (known !== undefined) return known
  if (CLOCKS.size >= MAX_CLOCKS) CLOCKS.clear()
  // Evolution and Lightning write paths: `/citadel.org/20260101_1/Europe/Oslo`; Outlook writes Windows names.
  const name = zone.replace(/^(?:\/.{1,100}\/(?=[A-Z]\w{1,20}\/\w{1,30}$)|tzone:\/\/Microsoft\/)/, '')
  const [timeZone = name] = findIana(name)
  const styles = { dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' } as const
  let clock: Intl.DateTimeFormat | null = null
  try {
    clock = new Intl.DateTimeFormat('en-GB', { timeZone, ...styles })
  } catch {}
  CLOCKS.set(zone, clock)
  return clock
}

function shownBy(clock: Intl.DateTimeFormat, time: number): number {
  const parts = new Map(clock.formatToParts(time).map(({ type, value }) => [type, Number(value)]))
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
}
