import { ACCESS_TOKEN_SECONDS } from '../../lifetime.js'
import type { Parameters } from '../../parameters.js'

/** SPEC §2, token response. */
export interface TokenResponse {
  access_token: string
  token_type: 'Bearer'
  /** Seconds. */
  expires_in: number
  refresh_token: string
  /** Space-separated. */
  scope: string
}

/** One `grant_type` of the token endpoint. @throws OAuthError */
export type GrantHandler = (clientId: string, parameters: Parameters) => Promise<TokenResponse>

/** A successful response (RFC 6749 §5.1). `expiresIn` is in seconds. */
export const tokenResponse = (
  accessToken: string,
  refreshToken: string,
  scope: readonly string[],
  expiresIn = ACCESS_TOKEN_SECONDS,
): TokenResponse => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: expiresIn,
  refresh_token: refreshToken,
  scope: scope.join(' '),
})
