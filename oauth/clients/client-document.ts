import { type Client, cleanName, isDocumentId } from './client.js'
import { isRegistered, redirectUriProblem } from './redirect-uri.js'

const MAX_ID_LENGTH = 2048

/** A host name in full, as certificates have it: at least two labels, lower-case, no trailing dot, no address. */
const NAME = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/
/** Ends of names that mean nothing on the public internet: IANA's special-use names, and RFC 6762 appendix G. */
const SPECIAL_USE =
  /\.(?:alt|arpa|example|internal|invalid|local|localhost|onion|test|corp|home|intranet|lan|private)$/
const LOOPBACK_HOST = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/

/** A client's document that cannot be used. The message is for our log. */
export class DocumentError extends Error {
  /** For people: the end of the sentence "That address …". */
  readonly why: string
  /** It arrived, and what it says is refused: an earlier copy is no longer what its publisher says. */
  readonly withdrawn: boolean

  constructor(why: string, { reason = why, withdrawn = false } = {}) {
    super(reason)
    this.why = why
    this.withdrawn = withdrawn
  }
}

/**
 * Why an id is no address of a document that we would fetch, as the end of the sentence "That address …"; null when it
 * is one (draft-ietf-oauth-client-id-metadata-document-02 §3). It is compared as a string from here on, so it has to
 * be the one string that a URL parser would make of it: no default port, no dot segments, no `0x7f.1`.
 */
export function documentIdProblem(id: string): string | null {
  if (id.length > MAX_ID_LENGTH) return 'is too long'
  if (/[^\x21-\x7e]|["<>\\^`{|}]/.test(id)) return 'contains a character that addresses may not'
  if (id.includes('#')) return 'has a fragment'
  if (!isDocumentId(id) || !URL.canParse(id)) return 'is no https address'
  const { href, username, password, pathname, hostname } = new URL(id)
  if (username || password) return 'contains a user name'
  if (pathname === '/') return 'has no path'
  if (href !== id || hasDotSegment(pathname)) return 'is not written in its plain form'
  if (!NAME.test(hostname) || SPECIAL_USE.test(hostname)) return 'is not on the public internet'
  return null
}

/** Also encoded, behind an encoded slash too: some servers decode before they look. */
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
 * The client that a document describes, read at `now`. Members we take no part in are dropped, and so are redirect URIs
 * that we would never answer at.
 * @throws DocumentError
 */
export function readDocument(id: string, document: unknown, now: number): Client {
  const refuse = (why: string) => new DocumentError(why, { withdrawn: true })
  if (typeof document !== 'object' || document === null) throw refuse('holds no JSON object')
  const members = document as Record<string, unknown>
  if (members.client_id !== id) throw refuse('describes an app with another address')
  if (holdsSecret(members)) throw refuse('holds a secret, which everybody can read there')
  if (!allowsNone(members)) throw refuse('asks for a way to authenticate that we do not offer')
  const listed = Array.isArray(members.redirect_uris) ? members.redirect_uris : []
  const redirectUris = listed.filter(uri => redirectUriProblem(uri) === null)
  if (redirectUris.length === 0) throw refuse('lists no redirect_uris that we accept')
  return {
    id,
    name: cleanName(members.client_name) || publisherOf(id),
    redirectUris: [...new Set<string>(redirectUris)],
    grantTypes: ['authorization_code', 'refresh_token'],
    createdAt: now,
    lastUsedAt: null,
  }
}

/** §4.1: neither shared secrets nor private keys (RFC 7517 §9.3, RFC 7518 §6). */
function holdsSecret(members: Record<string, unknown>): boolean {
  if (members.client_secret !== undefined || members.client_secret_expires_at !== undefined) return true
  const { keys } = (members.jwks ?? {}) as { keys?: unknown }
  return Array.isArray(keys) && keys.some(key => key?.d !== undefined || key?.k !== undefined)
}

/**
 * Whether `none` is among the ways to authenticate. ChatGPT prefers another and lists them all in a member that RFC 7591
 * does not have. Who names no way at all can only mean `none`: the default of RFC 7591 §2 is a secret.
 */
function allowsNone(members: Record<string, unknown>): boolean {
  const { token_endpoint_auth_method: one, token_endpoint_auth_methods_supported: more } = members
  const methods = [one ?? [], more ?? []].flat()
  return methods.length === 0 || methods.includes('none')
}

/** Who vouches for a document: the host it is published at, as people should see it (§8.5). */
export const publisherOf = (id: string): string => new URL(id).host

/**
 * Whether a document vouches for where the browser is sent (RULES C7). Nobody can vouch for a program on the user's
 * computer: any program there can listen at a loopback port or claim a scheme.
 */
export function isVerified(client: Client, redirectUri: string): boolean {
  if (!isDocumentId(client.id) || !/^https:/i.test(redirectUri)) return false
  return isRegistered(redirectUri, client.redirectUris) && !LOOPBACK_HOST.test(new URL(redirectUri).hostname)
}
