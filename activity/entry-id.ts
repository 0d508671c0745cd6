/** Milliseconds since 1970 in base 36, until the year 5188. */
const TIME_DIGITS = 9
const COUNTER_DIGITS = 3
const COUNTERS = 36 ** COUNTER_DIGITS

/**
 * Returns a function that creates ids of entries. They sort by time, and within a process by order of creation, so
 * that entries are appended to the table and its indexes and expire as one range. `process` keeps processes apart.
 */
export function entryIds(process: string): (at: number) => string {
  let count = 0
  let latest = { at: 0, id: firstIdAt(0) }
  return at => {
    if (at !== latest.at) latest = { at, id: firstIdAt(at) }
    count = (count + 1) % COUNTERS
    return latest.id + count.toString(36).padStart(COUNTER_DIGITS, '0') + process
  }
}

/** The smallest id of this time. */
export const firstIdAt = (at: number) => at.toString(36).padStart(TIME_DIGITS, '0')

/** The time at which an entry was created. */
export const timeOfId = (id: string) => Number.parseInt(id.slice(0, TIME_DIGITS), 36)
