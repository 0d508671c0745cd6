import { withParameters } from '../clients/redirect-uri.js'
import type { OAuthError } from '../error.js'
import type { AuthorizationRequest } from './authorization-request.js'

type ResponseTarget = Pick<AuthorizationRequest, 'redirectUri' | 'state'>

/** The redirect after the user approves (RFC 6749 §4.1.2, RFC 9207). */
export const successUrl = (target: ResponseTarget, code: string, issuer: string) =>
  responseUrl(target, [['code', code]], issuer)

/** The redirect that reports an error to the client (RFC 6749 §4.1.2.1, RFC 9207). */
export function errorUrl(target: ResponseTarget, { code, description }: OAuthError, issuer: string): string {
  const parts: [string, string][] = [
    ['error', code],
    ['error_description', encodeURIComponent(description)],
  ]
  return responseUrl(target, parts, issuer)
}

function responseUrl(
  { redirectUri, state }: ResponseTarget,
  parts: [string, string][],
  issuer: string,
): string {
  if (state !== null) parts.push(['state', state])
  return withParameters(redirectUri, [...parts, ['iss', encodeURIComponent(issuer)]])
}
