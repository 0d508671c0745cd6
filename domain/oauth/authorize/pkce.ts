import { createHash } from 'node:crypto'

/** RFC 7636 §4.1 */
const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/
/** 32 bytes as base64url. */
const CHALLENGE = /^[A-Za-z0-9\-_]{43}$/

/** Whether a text can be an S256 challenge: 43 characters of base64url (RFC 7636 §4.2). */
export const isChallenge = (text: string) => CHALLENGE.test(text)

/** The S256 challenge of a verifier (RFC 7636 §4.2), or null if the verifier is malformed. */
export function challengeOf(verifier: string): string | null {
  if (!VERIFIER.test(verifier)) return null
  return createHash('sha256').update(verifier).digest('base64url')
}
