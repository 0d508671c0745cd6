import { textOf } from './json.js'

/** A time in milliseconds since 1970 as a whole number, or undefined if it is implausible. */
export const knownTime = (time: number): number | undefined =>
  time > 0 && time < 4.1e12 ? Math.trunc(time) : undefined

/** The same for an ISO date. */
export const isoTime = (date: unknown): number | undefined => knownTime(Date.parse(textOf(date)))

/** `2024-05-03 10:12` in UTC; empty without a time. */
export const minuteOf = (time: number | undefined): string =>
  time === undefined ? '' : new Date(time).toISOString().slice(0, 16).replace('T', ' ')

/** `2024-05-03` in UTC; empty without a time. */
export const dayOf = (time: number | undefined): string => minuteOf(time).slice(0, 10)

/** Joins the texts that are not blank. */
export const joined = (texts: readonly string[], separator = '\n'): string =>
  texts.filter(text => text.trim() !== '').join(separator)

/** A text of at most this many characters; a longer one ends with `…`. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed().trimEnd()}…` : text

/** `Attached: boat.jpg, plan.pdf`; empty without values. */
export function labelled(label: string, values: readonly string[]): string {
  const known = joined(values, ', ')
  return known === '' ? '' : `${label}: ${known}`
}
