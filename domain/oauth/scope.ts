import { OAuthError } from './error.js'

export const READ = 'vault:read'
export const WRITE = 'vault:write'

/** All supported scopes, in the order they are listed (SPEC §2). */
export const SCOPES: readonly string[] = [READ, WRITE]

/** Space-separated scope tokens (RFC 6749 §3.3). */
const SCOPE = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

/**
 * Reads the requested scopes. The default is `vault:read` (SPEC §4.2). Unknown scopes are ignored, because
 * clients request scopes of other servers; the token response lists what was granted.
 * @throws OAuthError invalid_scope for invalid characters, or if no scope is known
 */
export function readScope(value: string | undefined): string[] {
  const requested = scopeTokens(value)
  if (requested.length === 0) return [READ]
  const known = SCOPES.filter(scope => requested.includes(scope))
  if (known.length === 0) throw new OAuthError('invalid_scope', 'None of the requested scopes is supported.')
  return known
}

/**
 * Reads the scopes of a refresh request, or null if it has none. Unknown scopes are kept, so that they are
 * rejected as not granted (RFC 6749 §6).
 * @throws OAuthError invalid_scope for invalid characters
 */
export function readRefreshScope(value: string | undefined): string[] | null {
  const requested = new Set(scopeTokens(value))
  return requested.size > 0 ? [...requested] : null
}

function scopeTokens(value = ''): string[] {
  if (!SCOPE.test(value)) throw new OAuthError('invalid_scope', 'The scope contains an invalid character.')
  return value.split(' ').filter(Boolean)
}
