import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootDir } from '../../../platform/common/package.js'
import { type Client, cleanName, isDocumentId } from './client.js'
import { isRegistered, redirectUriProblem } from './redirect-uri.js'

const MAX_ID_LENGTH = 2048

/** A fully qualified host name: at least two labels, lower-case, no trailing dot, no IP address. */
const HOST_NAME = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/
/** Domains that do not exist on the public internet: IANA's special-use names and RFC 6762 appendix G. */
const SPECIAL_USE =
  /\.(?:alt|arpa|example|internal|invalid|local|localhost|onion|test|corp|home|intranet|lan|private)$/
const LOOPBACK_HOST = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/

/** A client metadata document that cannot be used. The message is for the log. */
export class DocumentError extends Error {
  /** For users: completes the sentence "That address …". */
  readonly problem: string
  /** The document was fetched but is not acceptable, so earlier copies are no longer valid either. */
  readonly withdrawn: boolean

  constructor(problem: string, { reason = problem, withdrawn = false } = {}) {
    super(reason)
    this.problem = problem
    this.withdrawn = withdrawn
  }
}

/**
 * Explains why a client id is not the URL of a document that we would fetch; completes the sentence "That
 * address …". Returns null if it is (draft-ietf-oauth-client-id-metadata-document-02 §3). Ids are compared as
 * strings, so an id must be in the canonical form of the URL parser: no default port, no dot segments, no
 * `0x7f.1`.
 */
export function documentIdProblem(id: string): string | null {
  if (id.length > MAX_ID_LENGTH) return 'is too long'
  if (/[^\x21-\x7e]|["<>\\^`{|}]/.test(id)) return 'contains an invalid character'
  if (id.includes('#')) return 'has a fragment'
  if (!isDocumentId(id) || !URL.canParse(id)) return 'is not an https address'
  const { href, username, password, pathname, hostname } = new URL(id)
  if (username || password) return 'contains a user name'
  if (pathname === '/') return 'has no path'
  if (href !== id || hasDotSegment(pathname)) return 'is not in its canonical form'
  if (!HOST_NAME.test(hostname) || SPECIAL_USE.test(hostname)) return 'is not on the public internet'
  return null
}

/** Also detects encoded dots and slashes, because some servers decode before they resolve a path. */
function hasDotSegment(path: string): boolean {
  try {
    return decodeURIComponent(path)
      .split(/[/\\]/)
      .some(segment => segment === '.' || segment === '..')
  } catch {
    return true
  }
}

/**
 * Reads the client that a document describes. `now` becomes its creation time. Unsupported members and
 * unacceptable redirect URIs are ignored.
 * @throws DocumentError
 */
export function readDocument(id: string, document: unknown, now: number): Client {
  const refuse = (problem: string) => new DocumentError(problem, { withdrawn: true })
  if (typeof document !== 'object' || document === null) throw refuse('does not contain a JSON object')
  const members = document as Record<string, unknown>
  if (members.client_id !== id) throw refuse('describes an app with a different address')
  if (holdsSecret(members)) throw refuse('contains a secret, which anyone can read there')
  if (!allowsNone(members)) throw refuse('requires an authentication method that we do not support')
  const listed = Array.isArray(members.redirect_uris) ? members.redirect_uris : []
  const redirectUris = listed.filter(uri => redirectUriProblem(uri) === null)
  if (redirectUris.length === 0) throw refuse('lists no acceptable redirect_uris')
  return {
    id,
    name: cleanName(members.client_name) || publisherOf(id),
    redirectUris: [...new Set<string>(redirectUris)],
    grantTypes: ['authorization_code', 'refresh_token'],
    createdAt: now,
    lastUsedAt: null,
  }
}

/** Documents must not contain shared secrets or private keys (§4.1, RFC 7517 §9.3, RFC 7518 §6). */
function holdsSecret(members: Record<string, unknown>): boolean {
  if (members.client_secret !== undefined || members.client_secret_expires_at !== undefined) return true
  const { keys } = (members.jwks ?? {}) as { keys?: unknown }
  return Array.isArray(keys) && keys.some(key => key?.d !== undefined || key?.k !== undefined)
}

/**
 * Whether the client can authenticate with `none`. ChatGPT prefers another method and lists all of them in a
 * member that RFC 7591 does not define. No method at all means `none`, because the default of RFC 7591 §2
 * requires a secret.
 */
function allowsNone(members: Record<string, unknown>): boolean {
  const { token_endpoint_auth_method: one, token_endpoint_auth_methods_supported: more } = members
  const methods = [one ?? [], more ?? []].flat()
  return methods.length === 0 || methods.includes('none')
}

/** The host that publishes a document, as shown to users (§8.5). */
export const publisherOf = (id: string): string => new URL(id).host

/**
 * Whether a document vouches for the redirect URI (RULES C7). It cannot vouch for programs on the user's
 * computer: any program there can listen on a loopback port or register a scheme.
 */
export function isVerified(client: Client, redirectUri: string): boolean {
  if (!isDocumentId(client.id) || !/^https:/i.test(redirectUri)) return false
  return isRegistered(redirectUri, client.redirectUris) && !LOOPBACK_HOST.test(new URL(redirectUri).hostname)
}

const FOLDER = join(rootDir, 'domain', 'oauth', 'clients', 'known')

/** The client documents of known assistants that are bundled with this version, by id (`domain/oauth/clients/known/README.md`). */
export function readKnownClients(now: number): Map<string, Client> {
  const files = readdirSync(FOLDER).filter(file => file.endsWith('.json'))
  const documents = files.map(file => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')))
  return new Map(
    documents.map(document => [document.client_id, readDocument(document.client_id, document, now)]),
  )
}
