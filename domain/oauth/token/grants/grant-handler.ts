import type { Clock } from '../../../../platform/common/clock.js'
import { ACCESS_TOKEN_SECONDS } from '../../lifetime.js'
import type { Parameters } from '../../parameters.js'
import type { Repeated } from '../../stores/types.js'
import type { TokenAnswers } from '../answers.js'
import { pairFor, type Replaced, type TokenFormat } from '../token.js'

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

/** The response to a request whose code or refresh token was consumed before: the tokens of the earlier request. */
export function repeatAnswer(
  { answers, format, clock }: { answers: TokenAnswers; format: TokenFormat; clock: Clock },
  hash: string,
  replaced: Replaced,
  { seed, scope, grant, issuedAt }: Repeated,
): TokenResponse {
  const { access, refresh } = pairFor(format, replaced, seed)
  const { connectionId, generation } = replaced
  const now = clock()
  answers.answered(hash, { connectionId, refreshHash: refresh.hash, generation, at: now })
  const left = ACCESS_TOKEN_SECONDS - Math.floor((now - issuedAt) / 1000)
  const current = scope.filter(name => grant.scope.includes(name))
  return tokenResponse(access.token, refresh.token, current, left)
}
