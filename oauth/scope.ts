import { OAuthError } from './error.js'

export const READ = 'vault:read'
export const WRITE = 'vault:write'

/** All there are, in the order they are listed (SPEC §2). */
export const SCOPES: readonly string[] = [READ, WRITE]

/** Scope tokens with spaces between them (RFC 6749 §3.3). */
const SCOPE = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

/**
 * The scopes that a request asks for; `vault:read` when it names none (SPEC §4.2). Unknown ones are dropped, because
 * clients ask for what other servers have; what was granted is reported.
 * @throws OAuthError invalid_scope for bad characters, or when nothing in it is known
 */
export function readScope(value: string | undefined): string[] {
  const asked = words(value)
  if (asked.length === 0) return [READ]
  const known = SCOPES.filter(scope => asked.includes(scope))
  if (known.length === 0) throw new OAuthError('invalid_scope', 'None of the scopes asked for exists here.')
  return known
}

/**
 * The scopes a refresh asks for, null when it names none. Unknown ones stay, so that they are refused as not granted
 * (RFC 6749 §6).
 * @throws OAuthError invalid_scope for bad characters
 */
export function readRefreshScope(value: string | undefined): string[] | null {
  const asked = new Set(words(value))
  return asked.size > 0 ? [...asked] : null
}

function words(value = ''): string[] {
  if (!SCOPE.test(value)) throw new OAuthError('invalid_scope', 'The scope contains a character it may not.')
  return value.split(' ').filter(Boolean)
}
