import { type Grant, type Resource, safeIdOf, startingSafe } from './connections/access.js'
import { OAuthError } from './error.js'

const USER_PATH = '/mcp/v1'
/** The HTTP API (ADR 57). */
export const API_PATH = '/api/v1'
const PARTS = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([A-Za-z0-9.\-:[\]]+)(\/[A-Za-z0-9/_-]*)?$/

/** The last path segment of a Server Card, reserved below each MCP endpoint (SEP-2127). */
export const SERVER_CARD = 'server-card'

/** Whether a path segment has the form of a Safe id. The Safe need not exist (RULES P2). */
export const isSafeId = (text: string) => /^[0-9A-Za-z_-]{1,64}$/.test(text) && text !== SERVER_CARD

/** Absolute URL of a resource. */
export function endpointUrl(baseUrl: string, resource: Resource): string {
  if (resource === 'api') return `${baseUrl}${API_PATH}`
  const id = safeIdOf(resource)
  return id === null ? `${baseUrl}${USER_PATH}` : `${baseUrl}${USER_PATH}/${id}`
}

/**
 * A parsed `resource` parameter: one of our endpoints; `none` if absent or just our origin; `foreign` if it
 * is such an endpoint on another origin; otherwise `unknown`.
 */
type ParsedResource = Resource | 'none' | 'foreign' | 'unknown'

/**
 * Parses a `resource` parameter (RFC 8707 §2). Accepts an upper-case scheme and host, a default port and one
 * trailing slash. Paths are compared literally, so percent-encoding cannot disguise one path as another.
 */
export function parseResource(value: string | undefined, baseUrl: string): ParsedResource {
  if (!value) return 'none'
  const [, scheme, authority, path = ''] = PARTS.exec(value) ?? []
  if (!scheme || !authority || !URL.canParse(`${scheme}://${authority}`)) return 'unknown'
  // For schemes it does not know, Node returns the origin `null`, which never equals a base URL.
  const ours = new URL(`${scheme}://${authority}`).origin === baseUrl
  const resource = resourceAt(path.replace(/\/$/, ''))
  if (!ours) return resource === 'unknown' || resource === 'none' ? 'unknown' : 'foreign'
  return resource
}

function resourceAt(path: string): ParsedResource {
  if (path === '') return 'none'
  if (path === USER_PATH) return 'user'
  if (path === API_PATH) return 'api'
  const id = path.startsWith(`${USER_PATH}/`) ? path.slice(USER_PATH.length + 1) : ''
  return isSafeId(id) ? `safe:${id}` : 'unknown'
}

/**
 * Reads the `resource` parameter. Returns null if it names none.
 * @throws OAuthError invalid_target
 */
export function readResource(value: string | undefined, baseUrl: string): Resource | null {
  const named = parseResource(value, baseUrl)
  if (named === 'none') return null
  if (named !== 'foreign' && named !== 'unknown') return named
  throw new OAuthError('invalid_target', `The resource must be ${baseUrl}${USER_PATH} or a path below it.`)
}

/**
 * Like `readResource`, for refresh requests. After BASE_URL changes, clients keep sending the old endpoint
 * URL. `invalid_grant` makes them authorize again; some clients give up on `invalid_target`.
 * @throws OAuthError invalid_grant for an endpoint on another origin, invalid_target for any other unknown
 * resource
 */
export function readRefreshResource(value: string | undefined, baseUrl: string): Resource | null {
  if (parseResource(value, baseUrl) === 'foreign') {
    throw new OAuthError('invalid_grant', 'The refresh token is not for this resource.', 'foreign resource')
  }
  return readResource(value, baseUrl)
}

/**
 * Whether a grant permits access to an endpoint (DESIGN §5.2): its own resource, or, for old clients that
 * cannot send `resource`, the endpoint of the Safe chosen on the consent page.
 */
export function permits(grant: Grant, endpoint: Resource): boolean {
  if (grant.resource === endpoint) return true
  if (grant.resource !== 'user' || grant.resourceSent) return false
  const chosen = startingSafe(grant)
  return chosen !== null && chosen === safeIdOf(endpoint)
}
