import type { Grant, Resource } from './connections/access.js'
import { OAuthError } from './error.js'

const USER_PATH = '/mcp/v1'
const PARTS = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([A-Za-z0-9.\-:[\]]+)(\/[A-Za-z0-9/_-]*)?$/
const SAFE_PATH = /^\/mcp\/v1\/([0-9A-Za-z_-]{1,64})$/

/** Whether a path segment can be the id of a Safe; whether there is one is another question (RULES P2). */
export const isSafeId = (text: string) => /^[0-9A-Za-z_-]{1,64}$/.test(text)

/** Absolute URL of the MCP endpoint that a resource stands for. */
export function endpointUrl(baseUrl: string, resource: Resource): string {
  const id = safeIdOf(resource)
  return id === null ? `${baseUrl}${USER_PATH}` : `${baseUrl}${USER_PATH}/${id}`
}

export const safeIdOf = (resource: Resource) => (resource === 'user' ? null : resource.slice('safe:'.length))

/** What a `resource` parameter names: an endpoint of ours, `none` (absent or our origin alone), or nothing of ours. */
export type ParsedResource = Resource | 'none' | 'foreign' | 'unknown'

/**
 * Understands a `resource` parameter (RFC 8707 §2). Upper-case scheme and host, a default port and one trailing slash
 * are accepted; paths are compared as they stand, so that no encoding can make one look like another.
 */
export function parseResource(value: string | undefined, baseUrl: string): ParsedResource {
  if (!value) return 'none'
  const [, scheme, authority, path = ''] = PARTS.exec(value) ?? []
  if (!scheme || !authority || !URL.canParse(`${scheme}://${authority}`)) return 'unknown'
  // Node gives `null` as the origin of schemes it does not know, which equals no base URL.
  const ours = new URL(`${scheme}://${authority}`).origin === baseUrl
  const resource = resourceAt(path.replace(/\/$/, ''))
  if (!ours) return resource === 'unknown' || resource === 'none' ? 'unknown' : 'foreign'
  return resource
}

function resourceAt(path: string): ParsedResource {
  if (path === '') return 'none'
  if (path === USER_PATH) return 'user'
  const id = SAFE_PATH.exec(path)?.[1]
  return id ? `safe:${id}` : 'unknown'
}

/**
 * The resource that a request names; null: none.
 * @throws OAuthError invalid_target
 */
export function readResource(value: string | undefined, baseUrl: string): Resource | null {
  const named = parseResource(value, baseUrl)
  if (named === 'none') return null
  if (named !== 'foreign' && named !== 'unknown') return named
  throw new OAuthError('invalid_target', `The resource should be ${baseUrl}${USER_PATH} or one below it.`)
}

/**
 * As `readResource`, for refreshes: after BASE_URL has changed, clients still name the endpoint's former address.
 * `invalid_grant` makes them authorize again, on `invalid_target` some give up.
 * @throws OAuthError invalid_grant for an endpoint elsewhere, invalid_target for what is no endpoint
 */
export function readRefreshResource(value: string | undefined, baseUrl: string): Resource | null {
  if (parseResource(value, baseUrl) === 'foreign') {
    throw new OAuthError('invalid_grant', 'The refresh token is not for this resource.', 'foreign resource')
  }
  return readResource(value, baseUrl)
}

/**
 * Whether a connection permits an endpoint (DESIGN §5.2): its own; and for old clients, which cannot name a resource,
 * that of the Safe their user chose on the consent page.
 */
export function permits(grant: Grant, endpoint: Resource): boolean {
  if (grant.resource === endpoint) return true
  if (grant.resource !== 'user' || grant.resourceSent) return false
  return grant.chosenSafeId !== null && grant.chosenSafeId === safeIdOf(endpoint)
}
