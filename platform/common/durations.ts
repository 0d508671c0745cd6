/** Durations in milliseconds. */
export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** The number of the day of a time, counted from 1970 in UTC. */
export const dayOf = (time: number) => Math.floor(time / DAY_MS)
