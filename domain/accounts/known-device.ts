import { timingSafeEqual } from 'node:crypto'
import { dayOf } from '../../platform/common/durations.js'
import { mac } from '../../platform/common/secrets.js'

/** How long a browser is remembered after signing in: the longest lifetime that Chromium allows a cookie. */
export const DEVICE_DAYS = 400
const COOKIE = /^([0-9A-Za-z]{1,64})\.(\d{1,6})\.([\w-]{43})$/

/** The value of a cookie recording that an account has signed in with this browser. It grants no access. */
export function signDevice(key: Uint8Array, accountId: string, now: number): string {
  const lastDay = dayOf(now) + DEVICE_DAYS
  return `${accountId}.${lastDay}.${signature(key, accountId, lastDay)}`
}

/** The account that has signed in with this browser, or null. */
export function readDevice(key: Uint8Array, text: string | undefined, now: number): string | null {
  const [, accountId = '', day, sent = ''] = COOKIE.exec(text ?? '') ?? []
  if (!sent || Number(day) < dayOf(now)) return null
  const expected = signature(key, accountId, Number(day))
  return timingSafeEqual(Buffer.from(sent), Buffer.from(expected)) ? accountId : null
}

const signature = (key: Uint8Array, accountId: string, lastDay: number) =>
  mac(key, JSON.stringify([accountId, lastDay])).toString('base64url')
