/** The first and the last millisecond of a date, since 1970. */
export interface Period {
  from: number
  to: number
}

const DAY_MS = 86_400_000
const SECOND_MS = 1000

/**
 * A year, month or day, or a moment (ISO 8601-1). A year may have a sign, as in Wikidata, and a day a zone, as in
 * XML Schema; a moment without a zone is in UTC.
 */
const FORM =
  /^([+-]?)(\d{4})(?:-(\d\d)(?:-(\d\d)(?:Z|[T ]((?:[01]\d|2[0-3]):[0-5]\d)(:[0-5]\d)?(\.\d{1,9})? ?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?)?)?$/i

/**
 * The date of a fact in the form in which it is kept: with the precision as given ("2019", "2019-05", "2019-05-01",
 * "2019-05-01T09:30:00Z"). Midnight in UTC means the day, and month or day 00 an unknown one. Null if it is not a date.
 */
export function dateOf(text: string): string | null {
  const found = FORM.exec(text.trim())
  if (!found) return null
  const [, sign, digits, month = '00', day = '00', clock, seconds = '', fraction = '', zone = 'Z'] = found
  const year = `${sign === '-' ? '-' : ''}${digits}`
  if (month === '00') return day === '00' ? year : null
  const wholeMonth = `${year}-${month}`
  if (day === '00') return isDay(year, month, '01') ? wholeMonth : null
  const wholeDay = `${wholeMonth}-${day}`
  if (!isDay(year, month, day) || (fraction !== '' && seconds === '')) return null
  const time = `${clock}${seconds}${fraction}`
  if (clock === undefined || (/^[0:.]+$/.test(time) && zone.toUpperCase() === 'Z')) return wholeDay
  return `${wholeDay}T${time}${zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`
}

/** The time that a date from `dateOf` covers, in UTC. */
export function periodOf(date: string): Period {
  const [, sign, digits, month, day, clock, seconds = ':00', fraction = '', zone = 'Z'] =
    FORM.exec(date) ?? []
  const year = Number(`${sign === '-' ? '-' : ''}${digits}`)
  if (month === undefined) return { from: startOf(year, 1, 1), to: startOf(year + 1, 1, 1) - 1 }
  if (day === undefined)
    return { from: startOf(year, Number(month), 1), to: startOf(year, Number(month) + 1, 1) - 1 }
  const from = startOf(year, Number(month), Number(day))
  if (clock === undefined) return { from, to: from + DAY_MS - 1 }
  // As digits: 16.06 × 1000 is 16059.999….
  const milliseconds = Number(fraction.slice(1, 4).padEnd(3, '0'))
  const ofDay = (minutesOf(clock) * 60 + Number(seconds.slice(1))) * SECOND_MS + milliseconds
  const offset = zone === 'Z' ? 0 : Number(`${zone[0]}1`) * minutesOf(zone.slice(1)) * 60 * SECOND_MS
  return { from: from + ofDay - offset, to: from + ofDay - offset }
}

/** `Date.UTC` reads the years 0 to 99 as 1900 to 1999. */
const startOf = (year: number, month: number, day: number) => new Date(0).setUTCFullYear(year, month - 1, day)

/** `Date` accepts 30 February as 1 March. */
const isDay = (year: string, month: string, day: string) => {
  const date = new Date(startOf(Number(year), Number(month), Number(day)))
  return date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day)
}

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))
