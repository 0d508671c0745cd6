import type { Clock } from '../../../common/clock.js'
import { challengeOf } from '../../authorize/pkce.js'
import { revocationReasons } from '../../connections/connection.js'
import { OAuthError } from '../../error.js'
import { expiries } from '../../lifetime.js'
import { required, single } from '../../parameters.js'
import { readResource } from '../../resource.js'
import type { ConnectionStore, GrantStore } from '../../stores/types.js'
import type { TokenFormat } from '../token.js'
import { type GrantHandler, tokenResponse } from './grant-handler.js'

export interface GrantHandlerDependencies {
  connections: ConnectionStore
  grants: GrantStore
  format: TokenFormat
  baseUrl: string
  clock: Clock
}

/** RFC 6749 §4.1.3 with RFC 7636 §4.5. */
export function authorizationCodeGrant({
  connections,
  grants,
  format,
  baseUrl,
  clock,
}: GrantHandlerDependencies): GrantHandler {
  return async (clientId, parameters) => {
    const text = required(parameters, 'code')
    const redirectUri = required(parameters, 'redirect_uri')
    const verifier = required(parameters, 'code_verifier')
    const resource = readResource(single(parameters, 'resource'), baseUrl)
    const code = format.readCode(text)
    if (!code) throw refused('malformed code')
    const challenge = challengeOf(verifier)
    if (!challenge) throw refused('malformed verifier')

    const now = clock()
    const { connectionId } = code
    const access = format.newAccessToken(connectionId)
    const refresh = format.newRefreshToken(connectionId, 1)
    const { access: accessExpiry, refresh: refreshExpiry } = expiries(now)
    const result = await grants.redeem({
      connectionId,
      codeHash: code.hash,
      clientId,
      redirectUri,
      challenge,
      resource,
      now,
      access: { hash: access.hash, expiresAt: accessExpiry },
      refresh: { hash: refresh.hash, expiresAt: refreshExpiry },
    })
    if (result.outcome === 'redeemed') {
      return tokenResponse(access.token, refresh.token, result.grant.scope)
    }
    if (result.outcome === 'replayed')
      await connections.markRevoked(connectionId, now, revocationReasons.codeReplayed)
    if (result.outcome === 'wrong-resource') {
      throw new OAuthError('invalid_target', 'The code is for another resource.')
    }
    throw refused(result.outcome)
  }
}

/** One text for all, so that nobody learns whether a code exists (RULES T17). */
const refused = (reason: string) =>
  new OAuthError(
    'invalid_grant',
    'The code is not valid, or this request does not fit it.',
    `code: ${reason}`,
  )
