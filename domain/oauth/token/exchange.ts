import { DomainError } from '../../../platform/common/domain-error.js'
import { type TokenRequest, tokenRequests } from '../../../platform/common/events.js'
import type { Clients } from '../clients/clients.js'
import { OAuthError } from '../error.js'
import { type Parameters, rejectRepeated, required } from '../parameters.js'
import type { GrantHandler, TokenResponse } from './grants/grant-handler.js'

/** Handles a form posted to `/oauth/token` (RFC 6749 §3.2). @throws OAuthError */
type Exchange = (parameters: Parameters) => Promise<TokenResponse>

/** The token endpoint (RFC 6749 §3.2): checks `grant_type` first, then hands over to its handler. */
export function createExchange(clients: Clients, handlers: ReadonlyMap<string, GrantHandler>): Exchange {
  const exchange: Exchange = async parameters => {
    rejectRepeated(parameters)
    const handle = handlers.get(required(parameters, 'grant_type'))
    if (!handle) {
      throw new OAuthError(
        'unsupported_grant_type',
        'grant_type must be authorization_code or refresh_token.',
      )
    }
    const clientId = required(parameters, 'client_id')
    await clients.requireKnown(clientId)
    return handle(clientId, parameters)
  }
  return async parameters => {
    const grantType = grantTypeOf(parameters)
    try {
      const response = await exchange(parameters)
      tokenRequests.publish({ grantType, result: 'issued' })
      return response
    } catch (error) {
      const isRefused = error instanceof OAuthError || error instanceof DomainError
      tokenRequests.publish({ grantType, result: isRefused ? error.code : 'failed' })
      throw error
    }
  }
}

/** From a form that has not been validated. */
function grantTypeOf(parameters: Parameters): TokenRequest['grantType'] {
  const grantType = parameters.grant_type
  return grantType === 'authorization_code' || grantType === 'refresh_token' ? grantType : 'other'
}
