import { challengeOf } from '../../authorize/pkce.js'
import { markRevoked, revocationReasons } from '../../connections/connection.js'
import { OAuthError } from '../../error.js'
import { required, single } from '../../parameters.js'
import { readResource } from '../../resource.js'
import {
  answerWith,
  type GrantHandler,
  type GrantHandlerDependencies,
  newPair,
  repeatAnswer,
} from './grant-handler.js'

/** RFC 6749 §4.1.3 with RFC 7636 §4.5. */
export function authorizationCodeGrant(dependencies: GrantHandlerDependencies): GrantHandler {
  const { grants, answers, format, baseUrl, clock } = dependencies
  return async (clientId, parameters) => {
    const text = required(parameters, 'code')
    // Optional in OAuth 2.1; if sent, it must equal that of the authorization (RFC 6749 §4.1.3).
    const redirectUri = single(parameters, 'redirect_uri') || null
    const verifier = required(parameters, 'code_verifier')
    const resource = readResource(single(parameters, 'resource'), baseUrl)
    const code = format.readCode(text)
    if (!code) throw invalidGrant('malformed code')
    const challenge = challengeOf(verifier)
    if (!challenge) throw invalidGrant('malformed verifier')

    const now = clock()
    const { connectionId, hash } = code
    const replaced = { old: text, hash, connectionId, generation: 1, now }
    const { pair, stored } = newPair(dependencies, replaced)
    const redemption = {
      connectionId,
      codeHash: hash,
      clientId,
      redirectUri,
      challenge,
      resource,
      now,
      ...stored,
    }
    const result = await answers.ask(hash, () => grants.redeem(redemption))
    if (result.outcome === 'repeated') return repeatAnswer(dependencies, replaced, result)
    if (result.outcome === 'redeemed') return answerWith(dependencies, replaced, pair, result.grant.scope)
    if (result.outcome === 'replayed')
      await markRevoked(dependencies, [connectionId], now, revocationReasons.codeReplayed)
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
