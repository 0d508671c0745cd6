/** What tells the clock of a place by its name, for the last ones asked for. */
const CLOCKS = new Map<string, Intl.DateTimeFormat | null>()
const MOST_CLOCKS = 50

/**
 * Milliseconds since 1970 when the clock in this zone (`Europe/Oslo`) shows what it would show in UTC at `shown`; null for
 * a zone that is not known.
 */
export function timeInZone(shown: number, zone: string): number | null {
  const offset = offsetIn(zone)
  if (offset !== null) return shown - offset
  const clock = clockOf(zone)
  if (!clock) return null
  const ahead = (time: number) => shownBy(clock, time) - time
  // Twice, because the clock may change in between.
  return shown - ahead(shown - ahead(shown))
}

/** Milliseconds that a zone of Exchange is ahead, by its name: `(UTC+07:00) Bangkok, Hanoi, Jakarta`. */
function offsetIn(zone: string): number | null {
  const found = /^\((?:UTC|GMT) ?(?:([+-])(\d\d):(\d\d))?\)/.exec(zone)
  if (!found) return null
  const [, sign, hours = 0, minutes = 0] = found
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

function clockOf(zone: string): Intl.DateTimeFormat | null {
  const known = CLOCKS.get(zone)
  if (known !== undefined) return known
  if (CLOCKS.size >= MOST_CLOCKS) CLOCKS.clear()
  const clock = newClock(zone)
  CLOCKS.set(zone, clock)
  return clock
}

function newClock(zone: string): Intl.DateTimeFormat | null {
  const number = '2-digit'
  try {
    return new Intl.DateTimeFormat('en-GB', {
      ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: number, day: number },
      ...{ hour: number, minute: number, second: number },
    })
  } catch {
    return null
  }
}

function shownBy(clock: Intl.DateTimeFormat, time: number): number {
  const parts = new Map(clock.formatToParts(time).map(({ type, value }) => [type, Number(value)]))
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
}
