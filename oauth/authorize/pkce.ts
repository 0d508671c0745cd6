import { createHash } from 'node:crypto'

/** RFC 7636 §4.1 */
const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/
/** base64url of 32 bytes. */
const CHALLENGE = /^[A-Za-z0-9\-_]{43}$/

export const isChallenge = (text: string) => CHALLENGE.test(text)

/** The challenge that belongs to a verifier, S256 (RFC 7636 §4.2), or null when it is no verifier. */
export function challengeOf(verifier: string): string | null {
  if (!VERIFIER.test(verifier)) return null
  return createHash('sha256').update(verifier).digest('base64url')
}
