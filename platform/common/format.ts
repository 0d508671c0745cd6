// Created on first use, because loading their data takes 15 ms.
let numbers: Intl.NumberFormat | undefined
let times: Intl.DateTimeFormat | undefined
let days: Intl.DateTimeFormat | undefined

/** `1,234,567`. */
export function showNumber(number: number): string {
  numbers ??= new Intl.NumberFormat('en')
  return numbers.format(number)
}

/** A function that words an amount: `counted('file', 'files')(2)` is “2 files”. */
export const counted = (one: string, many: string) => (count: number) =>
  `${showNumber(count)} ${count === 1 ? one : many}`

/** `21 Nov 2026, 10:55 UTC`, from milliseconds since 1970. */
export function showTime(time: number): string {
  times ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  return `${times.format(time)} UTC`
}

/** `3 May 2026`, in UTC, from milliseconds since 1970. */
export function showDay(time: number): string {
  days ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  return days.format(time)
}

/** `3.4 MB`. */
export function showBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB']
  let size = bytes
  let unit = 0
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000
    unit++
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`
}
