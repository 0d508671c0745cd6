const SCHEME = 'bearer'

/**
 * The credentials after `Bearer` in an `Authorization` header, or null if there are none or it names another scheme. The scheme is
 * case-insensitive (RFC 9110 §11.1). The credentials may be any text, or empty: see `isToken`.
 */
export function bearerToken(authorization: string | undefined): string | null {
  if (authorization?.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return null
  const rest = authorization.slice(SCHEME.length)
  return rest === '' || /^\s/.test(rest) ? rest.replace(/^ +/, '') : null
}

/** Whether this has the form of a token (RFC 6750 §2.1). */
export const isToken = (text: string): boolean => /^[\w.~+/-]+=*$/.test(text)
