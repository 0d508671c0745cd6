/** Digits of a time in milliseconds since 1970, until the year 2286. */
const TIME_DIGITS = 13
const COUNTER_DIGITS = 4
const COUNTERS = 10 ** COUNTER_DIGITS

/**
 * Returns a function that creates ids of entries. They sort by time, and within a process by order of creation, so
 * that entries are appended to the table and its indexes and expire as one range. `process` keeps processes apart.
 */
export function entryIds(process: string): (at: number) => string {
  let count = 0
  return at => {
    count = (count + 1) % COUNTERS
    return firstIdAt(at) + `${count}`.padStart(COUNTER_DIGITS, '0') + process
  }
}

/** The smallest id of this time. */
export const firstIdAt = (at: number) => `${at}`.padStart(TIME_DIGITS, '0')

/** The time at which an entry was created. */
export const timeOfId = (id: string) => Number(id.slice(0, TIME_DIGITS))
