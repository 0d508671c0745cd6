import type { Clients } from '../clients/clients.js'
import { OAuthError } from '../error.js'
import { type Parameters, rejectRepeated, required } from '../parameters.js'
import type { GrantHandler, TokenResponse } from './grants/grant-handler.js'

/** Handles a form posted to `/oauth/token` (RFC 6749 §3.2). @throws OAuthError */
export type Exchange = (parameters: Parameters) => Promise<TokenResponse>

export function createExchange(clients: Clients, handlers: ReadonlyMap<string, GrantHandler>): Exchange {
  return async parameters => {
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
}
