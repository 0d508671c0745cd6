/** ISO 8601 in UTC, as short as possible: midnight is written as a date. */
export function timeText(time: number): string {
  return new Date(time).toISOString().replace('T00:00:00.000Z', '').replace('.000Z', 'Z')
}
