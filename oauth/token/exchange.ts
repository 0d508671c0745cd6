import type { Clients } from '../clients/clients.js'
import { OAuthError } from '../error.js'
import { type Parameters, rejectRepeated, required } from '../parameters.js'
import type { GrantHandler, TokenResponse } from './grants/grant-handler.js'

/** What `POST /oauth/token` does with its form (RFC 6749 §3.2). @throws OAuthError */
export type Exchange = (parameters: Parameters) => Promise<TokenResponse>

export function createExchange(clients: Clients, grants: ReadonlyMap<string, GrantHandler>): Exchange {
  return async parameters => {
    rejectRepeated(parameters)
    const grant = grants.get(required(parameters, 'grant_type'))
    if (!grant) {
      throw new OAuthError(
        'unsupported_grant_type',
        'grant_type should be authorization_code or refresh_token.',
      )
    }
    const clientId = required(parameters, 'client_id')
    await clients.expect(clientId)
    return grant(clientId, parameters)
  }
}
