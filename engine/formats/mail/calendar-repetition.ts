import { propertyLines } from './content-lines.js'

const UNITS: Readonly<Record<string, string>> = {
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
  HOURLY: 'hour',
  MINUTELY: 'minute',
}
const DAYS: Readonly<Record<string, string>> = {
  SU: 'Sunday',
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
}
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)
const PLACES: Readonly<Record<string, string>> = {
  '1': 'first ',
  '2': 'second ',
  '3': 'third ',
  '4': 'fourth ',
  '5': 'fifth ',
  '-1': 'last ',
}
const MOST_DATES = 30

/**
 * What is said of an entry's repetitions, in sentences: `Repeats: every 2 weeks on Monday and Friday until 2024-12-31`,
 * `Not on: 2024-05-10`. `weekday`: of the first one, from Sunday as 0.
 */
export function repetitionsOf(text: string, weekday: number | null): string[] {
  const lines = propertyLines(text)
  const rule = lines.map(line => /^RRULE[^:]{0,100}:(.{1,500})$/i.exec(line)?.[1]).find(Boolean)
  const repeats = rule === undefined ? '' : sentenceOf(partsOf(rule), weekday)
  return [
    ...(repeats === '' ? [] : [`Repeats: ${repeats}`]),
    ...datesOf(lines, 'RDATE', 'Also on'),
    ...datesOf(lines, 'EXDATE', 'Not on'),
  ]
}

/** `FREQ=WEEKLY;INTERVAL=2` */
const partsOf = (rule: string) =>
  new Map(
    rule.split(';').map((part): [string, string] => {
      const at = part.indexOf('=')
      return [part.slice(0, at).trim().toUpperCase(), part.slice(at + 1).trim()]
    }),
  )

function sentenceOf(parts: ReadonlyMap<string, string>, weekday: number | null): string {
  const unit = UNITS[parts.get('FREQ')?.toUpperCase() ?? '']
  if (unit === undefined) return ''
  const interval = Number(parts.get('INTERVAL') ?? 1)
  const until = /^(\d{4})(\d\d)(\d\d)/.exec(parts.get('UNTIL') ?? '')
  const count = parts.get('COUNT')
  return [
    `every ${interval > 1 ? `${interval} ${unit}s` : unit}`,
    ...phrase('on', daysOf(parts, unit, weekday)),
    ...phrase(
      'in',
      listOf(parts, 'BYMONTH').map(month => MONTHS[Number(month) - 1]),
    ),
    ...(until ? [`until ${until[1]}-${until[2]}-${until[3]}`] : []),
  ]
    .join(' ')
    .concat(until || count === undefined ? '' : `, ${count} times`)
}

const listOf = (parts: ReadonlyMap<string, string>, name: string) =>
  (parts.get(name) ?? '').split(',').filter(Boolean).slice(0, MOST_DATES)

function phrase(word: string, names: readonly (string | undefined)[]): string[] {
  const known = names.filter(name => name !== undefined)
  const last = known.at(-1)
  if (last === undefined) return []
  return [`${word} ${known.length === 1 ? last : `${known.slice(0, -1).join(', ')} and ${last}`}`]
}

/** `Monday`, `the last Friday`, `day 15`. A week repeats on the day of the first one, unless its rule says otherwise. */
function daysOf(parts: ReadonlyMap<string, string>, unit: string, weekday: number | null): string[] {
  // Outlook writes the place beside the day.
  const beside = parts.get('BYSETPOS')
  const named = listOf(parts, 'BYDAY').flatMap(day => {
    const [, place = beside, name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/i.exec(day) ?? []
    const known = DAYS[name.toUpperCase()]
    const at = PLACES[place?.replace('+', '') ?? '']
    return known === undefined ? [] : [at === undefined ? known : `the ${at}${known}`]
  })
  const numbered = listOf(parts, 'BYMONTHDAY').map(day => (day === '-1' ? 'the last day' : `day ${day}`))
  const implied = unit === 'week' && weekday !== null ? Object.values(DAYS).slice(weekday, weekday + 1) : []
  const stated = [...named, ...numbered]
  return stated.length > 0 ? stated : implied
}

function datesOf(lines: readonly string[], property: string, label: string): string[] {
  const dates = lines
    .filter(line => line.slice(0, property.length).toUpperCase() === property)
    .flatMap(line => line.slice(line.indexOf(':') + 1).split(','))
    .flatMap(value => {
      const [, year, month, day] = /^\s{0,3}(\d{4})(\d\d)(\d\d)/.exec(value) ?? []
      return year === undefined ? [] : [`${year}-${month}-${day}`]
    })
  const some = [...new Set(dates)].slice(0, MOST_DATES)
  return some.length === 0 ? [] : [`${label}: ${some.join(', ')}`]
}
