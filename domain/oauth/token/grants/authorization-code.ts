import type { Clock } from '../../../../platform/common/clock.js'
import type { RecordActivity } from '../../../activity/entry.js'
import { challengeOf } from '../../authorize/pkce.js'
import { markRevoked, revocationReasons } from '../../connections/connection.js'
import { OAuthError } from '../../error.js'
import { expiries } from '../../lifetime.js'
import { required, single } from '../../parameters.js'
import { readResource } from '../../resource.js'
import type { ConnectionStore } from '../../stores/connection.sql.js'
import type { GrantStore } from '../../stores/types.js'
import type { TokenFormat } from '../token.js'
import { type GrantHandler, tokenResponse } from './grant-handler.js'

export interface GrantHandlerDependencies {
  connections: ConnectionStore
  record: RecordActivity
  grants: GrantStore
  format: TokenFormat
  baseUrl: string
  clock: Clock
}

/** RFC 6749 §4.1.3 with RFC 7636 §4.5. */
export function authorizationCodeGrant({
  connections,
  record,
  grants,
  format,
  baseUrl,
  clock,
}: GrantHandlerDependencies): GrantHandler {
  return async (clientId, parameters) => {
    const text = required(parameters, 'code')
    // OAuth 2.1 has none; one that is sent must be that of the authorization (RFC 6749 §4.1.3).
    const redirectUri = single(parameters, 'redirect_uri') || null
    const verifier = required(parameters, 'code_verifier')
    const resource = readResource(single(parameters, 'resource'), baseUrl)
    const code = format.readCode(text)
    if (!code) throw invalidGrant('malformed code')
    const challenge = challengeOf(verifier)
    if (!challenge) throw invalidGrant('malformed verifier')

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
      await markRevoked({ connections, record }, [connectionId], now, revocationReasons.codeReplayed)
    if (result.outcome === 'wrong-resource') {
      throw new OAuthError('invalid_target', 'The code was issued for another resource.')
    }
    throw invalidGrant(result.outcome)
  }
}

/** The same text for every reason, so that responses do not reveal whether a code exists (RULES T17). */
const invalidGrant = (reason: string) =>
  new OAuthError(
    'invalid_grant',
    'The code is invalid, or it does not match this request.',
    `code: ${reason}`,
  )
