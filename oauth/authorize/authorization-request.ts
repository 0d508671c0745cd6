import type { Resource } from '../connections/access.js'
import { OAuthError } from '../error.js'
import { type Parameters, rejectRepeated, required, single } from '../parameters.js'
import { readResource } from '../resource.js'
import { readScope } from '../scope.js'
import { isChallenge } from './pkce.js'

/** A valid request to `/oauth/authorize` that waits for its user's decision. */
export interface AuthorizationRequest {
  /** Not secret: what shows that it was decided goes by it. */
  id: string
  clientId: string
  clientName: string
  clientVerified: boolean
  redirectUri: string
  /** As it stood in the query, percent-encoding included, so that it goes back byte for byte; null: none sent. */
  state: string | null
  codeChallenge: string
  /** What was asked for; the user may grant less. */
  scope: string[]
  resource: Resource
  resourceSent: boolean
  expiresAt: number
}

/**
 * What a request asks for, once its client and redirect URI are known to be good (SPEC §4.2).
 * @throws OAuthError for everything that the client is told by redirect (RULES A5 to A11)
 */
export function readAuthorization(
  parameters: Parameters,
  baseUrl: string,
): Pick<AuthorizationRequest, 'codeChallenge' | 'scope' | 'resource' | 'resourceSent'> {
  rejectRepeated(parameters)
  // OpenID Connect Core §6: we do not take requests as objects.
  if (parameters.request) throw new OAuthError('request_not_supported', 'request is not supported.')
  if (parameters.request_uri) {
    throw new OAuthError('request_uri_not_supported', 'request_uri is not supported.')
  }
  if (required(parameters, 'response_type') !== 'code') {
    throw new OAuthError('unsupported_response_type', 'response_type should be code.')
  }
  const codeChallenge = required(parameters, 'code_challenge')
  if (!isChallenge(codeChallenge)) {
    throw new OAuthError('invalid_request', 'code_challenge should be 43 base64url characters.')
  }
  if (required(parameters, 'code_challenge_method') !== 'S256') {
    throw new OAuthError('invalid_request', 'code_challenge_method should be S256.')
  }
  const scope = readScope(single(parameters, 'scope'))
  const resource = readResource(single(parameters, 'resource'), baseUrl)
  return { codeChallenge, scope, resource: resource ?? 'user', resourceSent: resource !== null }
}

/**
 * The `state` of a query as it was sent, percent-encoding included, ready to stand in a URL again; null when there is
 * none, or more than one to choose from (RULES A8). It is its client's alone: never decoded, so that nothing in it can
 * end a header, and never judged. Only what browsers do not send as it is, and `#`, gets encoded.
 */
export function readState(query: string, parameters: Parameters): string | null {
  const { state } = parameters
  if (typeof state !== 'string') return null
  const sent = query.split('&').find(part => part === 'state' || part.startsWith('state='))
  if (sent === undefined) return encodeURIComponent(state)
  return sent.slice('state='.length).replace(/[^!$-;=?-~]/g, encodeURIComponent)
}
