import { type Seal, sealWith } from '../../../platform/common/seal.js'
import type { Random } from '../../../platform/common/secrets.js'
import type { Resource } from '../connections/access.js'
import { OAuthError } from '../error.js'
import { type Parameters, rejectRepeated, required, single } from '../parameters.js'
import { readResource } from '../resource.js'
import { readScope } from '../scope.js'
import { isChallenge } from './pkce.js'

/** A valid request to `/oauth/authorize` that waits for the user's decision. */
export interface AuthorizationRequest {
  /** Not secret. Identifies the record of the decision. */
  id: string
  clientId: string
  clientName: string
  clientVerified: boolean
  redirectUri: string
  /** As sent, including percent-encoding, so that it can be returned byte for byte. Null if not sent. */
  state: string | null
  codeChallenge: string
  /** The requested scopes; the user may grant fewer. */
  scope: string[]
  resource: Resource
  resourceSent: boolean
  expiresAt: number
}

/**
 * Validates the parameters of a request whose client and redirect URI are already validated (SPEC §4.2).
 * @throws OAuthError for errors that are reported to the client by redirect (RULES A5 to A11)
 */
export function readAuthorization(
  parameters: Parameters,
  baseUrl: string,
): Pick<AuthorizationRequest, 'codeChallenge' | 'scope' | 'resource' | 'resourceSent'> {
  rejectRepeated(parameters)
  // Request objects (OpenID Connect Core §6) are not supported.
  if (parameters.request) throw new OAuthError('request_not_supported', 'request is not supported.')
  if (parameters.request_uri) {
    throw new OAuthError('request_uri_not_supported', 'request_uri is not supported.')
  }
  if (required(parameters, 'response_type') !== 'code') {
    throw new OAuthError('unsupported_response_type', 'response_type must be code.')
  }
  const codeChallenge = required(parameters, 'code_challenge')
  if (!isChallenge(codeChallenge)) {
    throw new OAuthError('invalid_request', 'code_challenge must be 43 base64url characters.')
  }
  if (required(parameters, 'code_challenge_method') !== 'S256') {
    throw new OAuthError('invalid_request', 'code_challenge_method must be S256.')
  }
  const scope = readScope(single(parameters, 'scope'))
  const resource = readResource(single(parameters, 'resource'), baseUrl)
  return { codeChallenge, scope, resource: resource ?? 'user', resourceSent: resource !== null }
}

/**
 * Reads `state` exactly as it was sent, including percent-encoding, so that it can be placed in a URL again.
 * Returns null if it is absent or repeated (RULES A8). It is opaque: it is neither validated nor decoded, so
 * it cannot inject a header. Only `#` and characters that browsers would encode themselves are encoded.
 */
export function readState(query: string, parameters: Parameters): string | null {
  const { state } = parameters
  if (typeof state !== 'string') return null
  const sent = query.split('&').find(part => part === 'state' || part.startsWith('state='))
  if (sent === undefined) return encodeURIComponent(state)
  return sent.slice('state='.length).replace(/[^!$-;=?-~]/g, encodeURIComponent)
}

/**
 * Encodes an authorization request as the id of its consent page. It is encrypted and authenticated, so
 * nothing is stored before a signed-in user decides, and the address reveals nothing (docs/decisions/0005).
 */
export type RequestSeal = Seal<Omit<AuthorizationRequest, 'id'>>

export const requestSeal: (key: Uint8Array, random: Random) => RequestSeal = sealWith
