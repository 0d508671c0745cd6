import type { Clock } from '../../common/clock.js'
import type { Clients } from '../clients/clients.js'
import { endConnection, revocationReasons } from '../connections/connection.js'
import { type Parameters, rejectRepeated, required } from '../parameters.js'
import type { ConnectionStore, GrantStore } from '../stores/types.js'
import type { TokenFormat } from './token.js'

/**
 * What `POST /oauth/revoke` does with its form (RFC 7009 §2.1). Resolves also when there was nothing of the client's
 * to revoke. `token_type_hint` is not needed: tokens say what they are.
 * @throws OAuthError when `token` or `client_id` is missing, or the client unknown
 */
export type Revoke = (parameters: Parameters) => Promise<void>

export interface RevocationDependencies {
  clients: Clients
  connections: ConnectionStore
  grants: GrantStore
  format: TokenFormat
  clock: Clock
}

export function createRevoke({ clients, format, clock, ...stores }: RevocationDependencies): Revoke {
  const ownedBy = async (clientId: string, connectionId: string) =>
    (await stores.grants.find(connectionId))?.clientId === clientId

  return async parameters => {
    rejectRepeated(parameters)
    const token = required(parameters, 'token')
    const id = required(parameters, 'client_id')
    await clients.expect(id)
    const access = format.readAccessToken(token)
    if (access && (await ownedBy(id, access.connectionId))) {
      await stores.grants.revokeAccessToken(access.connectionId, access.hash)
      return
    }
    // A used refresh token counts too: its client may have signed out while a refresh was under way (RULES V3).
    const refresh = format.readRefreshToken(token)
    if (refresh && (await ownedBy(id, refresh.connectionId))) {
      await endConnection(stores, refresh.connectionId, clock(), revocationReasons.byClient)
    }
  }
}
