import { DAY_MS, MINUTE_MS } from '../../platform/common/durations.js'
/** Lifetimes (SPEC §8). */
export const ACCESS_TOKEN_SECONDS = 3600
export const REFRESH_TOKEN_DAYS = 90
export const CODE_MINUTES = 10

/** How long a consent page stays valid. */
export const AUTHORIZATION_REQUEST_MINUTES = 30

/** Expiry times of credentials issued at `now`, in milliseconds since 1970. */
export const expiries = (now: number) => ({
  access: now + ACCESS_TOKEN_SECONDS * 1000,
  refresh: now + REFRESH_TOKEN_DAYS * DAY_MS,
  code: now + CODE_MINUTES * MINUTE_MS,
})
