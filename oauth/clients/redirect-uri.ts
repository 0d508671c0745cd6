/**
 * Redirect URIs. They are compared as the strings they are (RFC 9700 §4.1.3): whatever a parser would repair or
 * normalize is refused instead. A URL parser is asked only to confirm that a host means what it says.
 */

const MAX_LENGTH = 2048
const PARTS = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(#.*)?$/s
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?((?:\/[^?#]*)?(?:\?[^#]*)?)$/
/** Segments of plain characters, none of them empty, `.` or `..`. */
const PLAIN_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~!$&'()+,;=:@-]+)*\/?$/

const DANGEROUS_SCHEMES = [
  'javascript',
  'data',
  'file',
  'blob',
  'vbscript',
  'about',
  'view-source',
  'filesystem',
]

/** Schemes without a dot that installed apps are known to register; all others need one (RFC 8252 §7.1). */
const APP_SCHEMES = ['claude', 'cursor', 'goose', 'raycast', 'vscode', 'vscode-insiders', 'windsurf', 'zed']

/** Names that our answer adds; a second one of the same name would be anybody's guess (RULES A14). */
const ANSWER_NAMES = ['code', 'state', 'iss', 'error', 'error_description']

/** What is wrong with a redirect URI, as the end of the sentence "redirect_uri …"; null when nothing is (RULES A2, G2). */
export function redirectUriProblem(uri: unknown): string | null {
  if (typeof uri !== 'string' || uri === '') return 'should be a URI'
  if (uri.length > MAX_LENGTH) return 'is too long'
  if (/[^\x21-\x7e]|["<>\\^`{|}]/.test(uri)) return 'contains a character that URIs may not'
  if (uri.includes('*')) return 'may not contain wildcards'
  const [, scheme, authority, path = '', query = '', fragment] = PARTS.exec(uri) ?? []
  if (scheme === undefined) return 'should be absolute'
  if (fragment !== undefined) return 'may not have a fragment'
  if (authority?.includes('@')) return 'may not contain a user name'
  if (path.split('/').some(segment => /^(\.|%2e){1,2}$/i.test(segment))) return 'may not contain dot segments'
  if (query.split('&').some(part => ANSWER_NAMES.includes(part.split('=', 1)[0] ?? ''))) {
    return 'may not have a query that our answer would repeat'
  }
  return schemeProblem(uri, scheme.toLowerCase(), authority, path)
}

function schemeProblem(uri: string, scheme: string, authority: string | undefined, path: string) {
  if (DANGEROUS_SCHEMES.includes(scheme)) return `may not use the scheme ${scheme}`
  if (scheme === 'http') return isLoopback(uri) ? null : 'may use http only on this computer (loopback)'
  if (scheme === 'https') return authority && isCanonicalHost(authority) ? null : 'should have a plain host'
  if (!scheme.includes('.') && !APP_SCHEMES.includes(scheme)) {
    return 'should use https, loopback http, or a scheme with a dot in it'
  }
  return authority || path ? null : 'should name a place'
}

/** Whether a parser sees the host that a reader sees: not `0x7f.1`, no encoding, no stray dots. */
function isCanonicalHost(authority: string): boolean {
  if (!URL.canParse(`https://${authority}`)) return false
  const [host = '', port] = authority.startsWith('[')
    ? [authority.replace(/:\d*$/, '')]
    : authority.split(':', 2)
  if (port === '') return false
  return new URL(`https://${authority}`).hostname === host.toLowerCase()
}

/** The port of a loopback redirect is free (RFC 8252 §7.3), but it has to be one. */
export function isLoopback(uri: string): boolean {
  const match = LOOPBACK.exec(uri)
  return match !== null && Number(match[1] ?? 80) <= 65_535
}

/** Path and query of a loopback URI. */
const loopbackPath = (uri: string) => LOOPBACK.exec(uri)?.[2] ?? ''

/** Whether `uri` is one of `registered`: byte-equal, or loopback with another port or loopback name (RULES A3). */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (registered.includes(uri)) return true
  if (!isLoopback(uri)) return false
  return registered.some(known => isLoopback(known) && loopbackPath(known) === loopbackPath(uri))
}

/** Whether `uri` is exactly a callback of a known assistant; `{id}` in a pattern stands for one path segment. */
export function isKnownCallback(uri: string, patterns: readonly string[]): boolean {
  return patterns.some(pattern => {
    const source = pattern
      .split('{id}')
      .map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[0-9A-Za-z_-]{1,128}')
    return new RegExp(`^${source}$`).test(uri)
  })
}

/**
 * Whether a registered client may be answered at `uri`: where it registered, at a known assistant's callback, or at
 * any plain loopback path (SPEC §5, RULES A4).
 */
export function allowsRedirect(
  uri: string,
  registered: readonly string[],
  patterns: readonly string[],
): boolean {
  if (redirectUriProblem(uri)) return false
  if (isRegistered(uri, registered) || isKnownCallback(uri, patterns)) return true
  return isLoopback(uri) && PLAIN_PATH.test(loopbackPath(uri))
}

/** Where the browser will be sent, for people: host and port, or the scheme of an installed app. */
export function redirectHost(uri: string): string {
  const [, scheme = '', authority = ''] = PARTS.exec(uri) ?? []
  if (/^https?$/i.test(scheme)) return authority
  return authority ? `${scheme}://${authority}` : `${scheme}:`
}

/** Adds parameters and keeps what the URI already has byte for byte. Values are taken as encoded. */
export function withParameters(uri: string, parameters: readonly (readonly [string, string])[]): string {
  const added = parameters.map(([name, value]) => `${name}=${value}`).join('&')
  if (!uri.includes('?')) return `${uri}?${added}`
  return /[?&]$/.test(uri) ? `${uri}${added}` : `${uri}&${added}`
}
