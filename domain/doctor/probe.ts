import { timingSafeEqual } from 'node:crypto'
import { type KeyFor, mac } from '../../platform/common/secrets.js'

/** Long enough for the clock differences that the doctor reports. */
const VALID_MS = 15 * 60_000

/** A request through the public address, as the service received it. */
export interface SeenRequest {
  /** The address used for rate limits. */
  address: string
  /** The peer of the connection: the visitor, or the last proxy. */
  peer: string
  isPeerTrusted: boolean
  forwardedFor: string | null
  /** Whether a header shows that there is a proxy. */
  isProxied: boolean
}

/** The path at which this installation, and no other, returns the request as received. */
export const probePath = (keyFor: KeyFor, now: number) => `/doctor/${now}.${macOf(keyFor, `${now}`)}`

/** Whether the last part of the path was made by this installation a short time ago. */
export function isProbe(keyFor: KeyFor, probe: string, now: number): boolean {
  const [, time = '', sum = ''] = /^(\d{1,16})\.([\w-]{43})$/.exec(probe) ?? []
  const isRecent = time !== '' && Math.abs(now - Number(time)) < VALID_MS
  return isRecent && timingSafeEqual(Buffer.from(sum), Buffer.from(macOf(keyFor, time)))
}

const macOf = (keyFor: KeyFor, time: string) => mac(keyFor('doctor'), time).toString('base64url')
