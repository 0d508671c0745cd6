import { timingSafeEqual } from 'node:crypto'
import { base62, mac, newId, type Random } from '../../../platform/common/secrets.js'
import { visibleText } from '../../../platform/common/visible-text.js'
import { OAuthError } from '../error.js'
import { allowsRedirect, isLoopback, isRegistered, redirectHost, redirectUriProblem } from './redirect-uri.js'

/** A client that registered dynamically (RFC 7591) or that a metadata document describes (RULES D). */
export interface Client {
  id: string
  name: string
  redirectUris: string[]
  grantTypes: string[]
  /** When the client registered, or when its document was read. */
  createdAt: number
  lastUsedAt: number | null
}

const MAX_REDIRECT_URIS = 10
const MAX_NAME_LENGTH = 100
const GRANT_TYPES = ['authorization_code', 'refresh_token']

/**
 * Reads the supported members of a registration request. Unknown members are ignored, and every
 * authentication method is replaced by `none` (RFC 7591 §2 allows substitution).
 * @throws OAuthError invalid_redirect_uri or invalid_client_metadata
 */
export function readRegistration(
  body: unknown,
  patterns: readonly string[] = [],
): Pick<Client, 'name' | 'redirectUris' | 'grantTypes'> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new OAuthError('invalid_client_metadata', 'The body must be a JSON object.')
  }
  const { redirect_uris, client_name, grant_types } = body as Record<string, unknown>
  const redirectUris = readRedirectUris(redirect_uris, patterns)
  return {
    redirectUris,
    name: cleanName(client_name) || nameFor(redirectUris[0] ?? ''),
    grantTypes: readGrantTypes(grant_types),
  }
}

function readRedirectUris(value: unknown, patterns: readonly string[]): string[] {
  const refuse = (problem: string) => new OAuthError('invalid_redirect_uri', problem)
  if (!Array.isArray(value) || value.length === 0) throw refuse('redirect_uris must be a list of URIs.')
  if (value.length > MAX_REDIRECT_URIS)
    throw refuse(`redirect_uris can have at most ${MAX_REDIRECT_URIS} entries.`)
  for (const [index, uri] of value.entries()) {
    const problem = redirectUriProblem(uri, patterns)
    if (problem) throw refuse(`redirect_uris entry ${index + 1} ${problem}.`)
  }
  return [...new Set<string>(value)]
}

function readGrantTypes(value: unknown): string[] {
  if (value === undefined || value === null) return ['authorization_code']
  if (!Array.isArray(value)) {
    throw new OAuthError('invalid_client_metadata', 'grant_types must be a list.')
  }
  const known = GRANT_TYPES.filter(type => value.includes(type))
  return known.length > 0 ? known : ['authorization_code']
}

/** Removes everything from a client name that could mislead on a page. May return an empty string. */
export function cleanName(value: unknown): string {
  if (typeof value !== 'string') return ''
  const start = [...visibleText(value)].slice(0, MAX_NAME_LENGTH).join('')
  // The cut may have left half of an emoji.
  return visibleText(start)
}

/** The display name of a client without a name. */
export const nameFor = (uri: string) => (isLoopback(uri) ? 'App on this computer' : redirectHost(uri))

/** Whether a client id is the URL of a metadata document. Ids that we issue never start with `https://`. */
export const isDocumentId = (clientId: string): boolean => clientId.startsWith('https://')

/** Whether a client may use a redirect URI. Known patterns apply only to registered clients (RULES A3, A4). */
export function mayRedirectTo(uri: string, client: Client, patterns: readonly string[]): boolean {
  if (!isDocumentId(client.id)) return allowsRedirect(uri, client.redirectUris, patterns)
  return redirectUriProblem(uri) === null && isRegistered(uri, client.redirectUris)
}

/**
 * `svc_client_<id>_<MAC>`. The MAC identifies ids that we issued even after a clean-up removed them (DESIGN
 * §5.5).
 */
export function newClientId(brand: string, key: Uint8Array, random: Random): string {
  const id = newId(random)
  return `${brand}_client_${id}_${clientMac(key, id)}`
}

/** Whether this service issued the id: it ends with a MAC. Compares in constant time. */
export function isIssuedClientId(clientId: string, brand: string, key: Uint8Array): boolean {
  const [, id, signature] =
    new RegExp(`^${brand}_client_([0-9A-Za-z]{22})_([0-9A-Za-z]{22})$`).exec(clientId) ?? []
  if (!id || !signature) return false
  return timingSafeEqual(Buffer.from(signature), Buffer.from(clientMac(key, id)))
}

const clientMac = (key: Uint8Array, id: string) => base62(mac(key, id).subarray(0, 16))
