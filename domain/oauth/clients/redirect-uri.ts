import { words } from '../../../platform/common/words.js'

/**
 * Redirect URIs are compared as strings (RFC 9700 §4.1.3). A URI that a parser would repair or normalize is
 * rejected. The URL parser is used only to confirm that a host is in canonical form.
 */

const MAX_LENGTH = 2048
const PARTS = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(#.*)?$/s
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?((?:\/[^?#]*)?(?:\?[^#]*)?)$/
/** Segments of plain characters; none is empty, `.` or `..`. */
const PLAIN_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~!$&'()+,;=:@-]+)*\/?$/

const DANGEROUS_SCHEMES = words('javascript data file blob vbscript about view-source filesystem')

/** Schemes without a dot that known apps register. All others need a dot (RFC 8252 §7.1). */
const APP_SCHEMES = words('claude cursor goose raycast vscode vscode-insiders warp windsurf zed')

/** Parameters of the authorization response. A redirect URI must not contain them, to avoid ambiguity (RULES A14). */
const RESPONSE_PARAMETERS = ['code', 'state', 'iss', 'error', 'error_description']

/**
 * Explains why a redirect URI is invalid; completes the sentence "redirect_uri …". Null if valid (RULES A2,
 * G2). `patterns`: callbacks of known assistants, whose schemes are also valid.
 */
export function redirectUriProblem(uri: unknown, patterns: readonly string[] = []): string | null {
  if (typeof uri !== 'string' || uri === '') return 'must be a URI'
  if (uri.length > MAX_LENGTH) return 'is too long'
  if (/[^\x21-\x7e]|["<>\\^`{|}]/.test(uri)) return 'contains an invalid character'
  if (uri.includes('*')) return 'must not contain wildcards'
  const [, scheme, authority, path = '', query = '', fragment] = PARTS.exec(uri) ?? []
  if (scheme === undefined) return 'must be absolute'
  if (fragment !== undefined) return 'must not have a fragment'
  if (authority?.includes('@')) return 'must not contain a user name'
  if (path.split('/').some(segment => /^(\.|%2e){1,2}$/i.test(segment)))
    return 'must not contain dot segments'
  if (query.split('&').some(part => RESPONSE_PARAMETERS.includes(part.split('=', 1)[0] ?? ''))) {
    return 'must not contain a parameter of the authorization response'
  }
  const known = patterns.map(pattern => pattern.split(':', 1)[0] ?? '')
  return schemeProblem(uri, scheme.toLowerCase(), authority, path, known)
}

function schemeProblem(
  uri: string,
  scheme: string,
  authority: string | undefined,
  path: string,
  known: readonly string[],
) {
  if (DANGEROUS_SCHEMES.has(scheme)) return `must not use the scheme ${scheme}`
  if (scheme === 'http') return isLoopback(uri) ? null : 'can use http only for loopback addresses'
  if (scheme === 'https')
    return authority && isCanonicalHost(authority) ? null : 'must have a host in canonical form'
  if (!scheme.includes('.') && !APP_SCHEMES.has(scheme) && !known.includes(scheme)) {
    return 'must use https, loopback http, or a scheme that contains a dot'
  }
  return authority || path ? null : 'must have a host or a path'
}

/** Whether a URL parser leaves the host unchanged: no `0x7f.1`, no encoding, no extra dots. */
function isCanonicalHost(authority: string): boolean {
  if (!URL.canParse(`https://${authority}`)) return false
  return new URL(`https://${authority}`).hostname === authority.replace(/:\d+$/, '').toLowerCase()
}

/** Whether the URI has a private-use scheme, so that the browser hands it over to an app (RFC 8252 §7.1). */
export const opensApp = (uri: string) => !/^https?:/i.test(uri)

/** A loopback redirect can use any valid port (RFC 8252 §7.3). */
export function isLoopback(uri: string): boolean {
  const match = LOOPBACK.exec(uri)
  return match !== null && Number(match[1] ?? 80) <= 65_535
}

/** Whether ChatGPT is behind a callback: it requires the tools `search` and `fetch` of a source (RULES R5). */
export const isChatGpt = (uri: string) => /^https:\/\/(?:chatgpt\.com|chat\.openai\.com)\//.test(uri)

/** Path and query of a loopback URI. */
const loopbackPath = (uri: string) => LOOPBACK.exec(uri)?.[2] ?? ''

/**
 * Whether `uri` matches a registered URI: byte for byte, or for loopback, with any port and loopback host
 * (RULES A3).
 */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (registered.includes(uri)) return true
  if (!isLoopback(uri)) return false
  return registered.some(known => isLoopback(known) && loopbackPath(known) === loopbackPath(uri))
}

/** Whether `uri` is the callback of a known assistant. `{id}` in a pattern matches one path segment. */
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
 * Whether a registered client may redirect to `uri`: a URI it registered, the callback of a known assistant,
 * or any plain loopback path (SPEC §5, RULES A4).
 */
export function allowsRedirect(
  uri: string,
  registered: readonly string[],
  patterns: readonly string[],
): boolean {
  if (redirectUriProblem(uri, patterns)) return false
  if (isRegistered(uri, registered) || isKnownCallback(uri, patterns)) return true
  return isLoopback(uri) && PLAIN_PATH.test(loopbackPath(uri))
}

/** The redirect target as shown to users: host and port, or the scheme of an installed app. */
export function redirectHost(uri: string): string {
  const [, scheme = '', authority = ''] = PARTS.exec(uri) ?? []
  if (/^https?$/i.test(scheme)) return authority
  return authority ? `${scheme}://${authority}` : `${scheme}:`
}

/** Appends parameters and keeps the rest of the URI byte for byte. Values must already be encoded. */
export function withParameters(uri: string, parameters: readonly (readonly [string, string])[]): string {
  const added = parameters.map(([name, value]) => `${name}=${value}`).join('&')
  if (!uri.includes('?')) return `${uri}?${added}`
  return /[?&]$/.test(uri) ? `${uri}${added}` : `${uri}&${added}`
}
