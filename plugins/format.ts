const numbers = new Intl.NumberFormat('en')
const times = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** `1,234,567`. */
export const showNumber = (number: number) => numbers.format(number)

/** `21 Nov 2026, 10:55 UTC`, of milliseconds since 1970. */
export const showTime = (time: number) => `${times.format(time)} UTC`

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
