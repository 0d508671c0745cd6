import { dateOf, type FactTimes, periodOf } from '../../graph/index.js'

/** Maximum characters of dates in brackets. */
const MAX_LENGTH = 80

const DATE = '\\d{4}(?:-\\d\\d(?:-\\d\\d)?)?'
const RANGE = new RegExp(
  `^(${DATE})?\\s?(?:[\\u2013\\u2014/-]|\\.\\.|\\bto\\b)\\s?(${DATE}|now|today|present)?$`,
  'i',
)
const SINCE = new RegExp(`^(?:since|from) (${DATE})$`, 'i')
const UNTIL = new RegExp(`^(?:until|till|to) (${DATE})$`, 'i')
const LEARNED = new RegExp(`^learned (?:on )?(${DATE})$`, 'i')

/**
 * A property's value and the dates in brackets after it: "[[Acme]] (2019 – 2021-05)", "Oslo (since 2020, learned
 * 2024-01-31)". Any other text in brackets belongs to the value.
 */
export function datedValue(text: string): { value: string; times: FactTimes } {
  const trimmed = text.trim()
  const open = trimmed.endsWith(')') ? trimmed.lastIndexOf('(') : -1
  const times = open > 0 ? datesIn(trimmed.slice(open + 1, -1)) : null
  return times ? { value: trimmed.slice(0, open).trimEnd(), times } : { value: text, times: {} }
}

/** The dates that a text consists of, or null. */
export function datesIn(text: string): FactTimes | null {
  if (text.length > MAX_LENGTH) return null
  const times: FactTimes = {}
  for (const part of text.split(/[,;]/)) {
    const found = timesOf(part.trim())
    if (!found) return null
    Object.assign(times, found)
  }
  const { validFrom, validTo } = times
  return validFrom && validTo && periodOf(validFrom).from > periodOf(validTo).to ? null : times
}

function timesOf(part: string): FactTimes | null {
  const [, from, to] = RANGE.exec(part) ?? []
  const found = [
    ['validFrom', from ?? SINCE.exec(part)?.[1]],
    ['validTo', /^\d/.test(to ?? '') ? to : UNTIL.exec(part)?.[1]],
    ['learnedOn', LEARNED.exec(part)?.[1]],
  ] as const
  const stated = found.filter(([, text]) => text !== undefined)
  if (stated.length === 0 || stated.some(([, text]) => dateOf(text ?? '') === null)) return null
  return Object.fromEntries(stated)
}
