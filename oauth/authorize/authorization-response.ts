import { withParameters } from '../clients/redirect-uri.js'
import type { OAuthError } from '../error.js'
import type { AuthorizationRequest } from './authorization-request.js'

type Asked = Pick<AuthorizationRequest, 'redirectUri' | 'state'>

/** Where a browser goes when its user has approved (RFC 6749 §4.1.2, RFC 9207). */
export const successUrl = (asked: Asked, code: string, issuer: string) =>
  answerUrl(asked, [['code', code]], issuer)

/** Where a browser goes when the client has to know what went wrong (RFC 6749 §4.1.2.1, RFC 9207). */
export function errorUrl(asked: Asked, { code, description }: OAuthError, issuer: string): string {
  const parts: [string, string][] = [
    ['error', code],
    ['error_description', encodeURIComponent(description)],
  ]
  return answerUrl(asked, parts, issuer)
}

function answerUrl({ redirectUri, state }: Asked, parts: [string, string][], issuer: string): string {
  if (state !== null) parts.push(['state', state])
  return withParameters(redirectUri, [...parts, ['iss', encodeURIComponent(issuer)]])
}
