import { MINUTE_MS } from '../../../platform/common/durations.js'

/** A time zone for days and times. */
export class Zone {
  /** Whether it is the requested one; otherwise it is UTC. */
  readonly isKnown: boolean
  readonly #name: string
  readonly #days: Intl.DateTimeFormat
  readonly #clock: Intl.DateTimeFormat

  /** @param name an IANA name such as `Europe/Oslo`, from a browser: anything unknown means UTC */
  constructor(name: string) {
    this.isKnown = isZone(name)
    this.#name = this.isKnown ? name : 'UTC'
    const timeZone = this.#name
    this.#days = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
    this.#clock = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' })
  }

  /** The day of a time, such as `2026-05-12`. */
  dayOf = (time: number): string => this.#days.format(time)

  /** Hour and minute, such as `14:02`, with the zone if it is not the reader's. */
  clockOf = (time: number): string => `${this.#clock.format(time)}${this.isKnown ? '' : ' UTC'}`

  /** When a day such as `2026-05-12` begins, in milliseconds since 1970; NaN if there is no such day. */
  startOf(day: string): number {
    const utc = Date.parse(`${day}T00:00:00Z`)
    if (Number.isNaN(utc)) return utc
    // The second calculation is for days on which the clocks change.
    return utc - this.#offsetAt(utc - this.#offsetAt(utc))
  }

  /** How far the clocks of the zone are ahead of UTC, in milliseconds. */
  #offsetAt(time: number): number {
    const parts = new Intl.DateTimeFormat('en-US', { timeZone: this.#name, timeZoneName: 'longOffset' })
    const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(parts.format(time)) ?? []
    const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE_MS
    return sign === '-' ? -offset : offset
  }
}

/** Offsets such as `+02:00` are zones in newer versions of Node only, so names begin with a letter. */
function isZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{1,60}$/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    return false
  }
}
