import type { FactTimes } from '../../graph/model.js'
import { dateOf, periodOf } from '../../graph/text/date.js'

/** Characters in brackets that can be dates. */
const longest = 80

const date = '\\d{4}(?:-\\d\\d(?:-\\d\\d)?)?'
const range = new RegExp(
  `^(${date})?\\s?(?:[\\u2013\\u2014/-]|\\.\\.|\\bto\\b)\\s?(${date}|now|today|present)?$`,
  'i',
)
const since = new RegExp(`^(?:since|from) (${date})$`, 'i')
const until = new RegExp(`^(?:until|till|to) (${date})$`, 'i')
const learned = new RegExp(`^learned (?:on )?(${date})$`, 'i')

/**
 * A property's value and the dates in brackets behind it: "[[Acme]] (2019 – 2021-05)", "Oslo (since 2020, learned
 * 2024-01-31)". Brackets with anything else belong to the value.
 */
export function datedValue(text: string): { value: string; times: FactTimes } {
  const trimmed = text.trim()
  const open = trimmed.endsWith(')') ? trimmed.lastIndexOf('(') : -1
  const times = open > 0 ? datesIn(trimmed.slice(open + 1, -1)) : null
  return times ? { value: trimmed.slice(0, open).trimEnd(), times } : { value: text, times: {} }
}

/** The dates that a text consists of, or null. */
export function datesIn(text: string): FactTimes | null {
  if (text.length > longest) return null
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
  const [, from, to] = range.exec(part) ?? []
  const found = [
    ['validFrom', from ?? since.exec(part)?.[1]],
    ['validTo', /^\d/.test(to ?? '') ? to : until.exec(part)?.[1]],
    ['learnedOn', learned.exec(part)?.[1]],
  ] as const
  const stated = found.filter(([, text]) => text !== undefined)
  if (stated.length === 0 || stated.some(([, text]) => dateOf(text ?? '') === null)) return null
  return Object.fromEntries(stated)
}
