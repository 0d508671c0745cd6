import { RotationLimits } from '../../../../platform/limits/rotation-limits.js'
import type { Grant } from '../../connections/access.js'
import { markRevoked, revocationReasons } from '../../connections/connection.js'
import { OAuthError } from '../../error.js'
import { required, single } from '../../parameters.js'
import { readRefreshResource } from '../../resource.js'
import { readRefreshScope } from '../../scope.js'
import {
  answerWith,
  type GrantHandler,
  type GrantHandlerDependencies,
  newPair,
  repeatAnswer,
} from './grant-handler.js'

interface RefreshTokenDependencies extends GrantHandlerDependencies {
  /** Whether the rotations of a connection are limited. */
  limited: boolean
}

/** RFC 6749 §6 with rotation (RFC 9700 §4.14.2): each refresh token can be used once. */
export function refreshTokenGrant(dependencies: RefreshTokenDependencies): GrantHandler {
  const { grants, answers, format, baseUrl, limited, clock } = dependencies
  const limits = limited ? new RotationLimits(clock) : null
  return async (clientId, parameters) => {
    const old = required(parameters, 'refresh_token')
    const resource = readRefreshResource(single(parameters, 'resource'), baseUrl)
    const scope = readRefreshScope(single(parameters, 'scope'))
    const presented = format.readRefreshToken(old)
    if (!presented) throw invalidGrant('not issued by this service')

    const now = clock()
    const { connectionId, hash, generation } = presented
    limits?.check(connectionId)
    const replaced = { old, hash, connectionId, generation: generation + 1, now }
    const { pair, stored } = newPair(dependencies, replaced)
    const rotation = {
      connectionId,
      presented: { hash, generation },
      clientId,
      resource,
      scope,
      now,
      ...stored,
    }
    const result = await answers.ask(hash, () => grants.rotate(rotation))
    switch (result.outcome) {
      case 'rotated':
        limits?.count(connectionId)
        return answerWith(dependencies, replaced, pair, effective(scope, result.grant))
      case 'repeated':
        return repeatAnswer(dependencies, replaced, result)
      case 'wrong-scope':
        throw new OAuthError('invalid_scope', 'A refresh cannot extend the scope.')
      case 'wrong-resource':
        throw new OAuthError('invalid_target', 'The refresh token was issued for another resource.')
      case 'reused':
        await markRevoked(dependencies, [connectionId], now, revocationReasons.refreshReused)
        throw invalidGrant('reused; connection revoked')
      default:
        throw invalidGrant(result.outcome)
    }
  }
}

/** The requested scope without the scopes that the user has withdrawn since (`narrowed`). */
const effective = (requested: readonly string[] | null, { scope }: Grant) =>
  requested?.filter(name => scope.includes(name)) ?? scope

/** The same text for every reason, so that responses do not reveal whether a token exists (RULES T17). */
const invalidGrant = (reason: string) =>
  new OAuthError(
    'invalid_grant',
    'The refresh token is not valid, or its connection has ended. The user must connect again.',
    `refresh token: ${reason}`,
  )
