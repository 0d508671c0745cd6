import type { Clock } from '../../../platform/common/clock.js'
import type { RecordActivity } from '../../activity/entry.js'
import type { Clients } from '../clients/clients.js'
import { endConnection, revocationReasons } from '../connections/connection.js'
import { type Parameters, rejectRepeated, required } from '../parameters.js'
import type { ConnectionStore } from '../stores/connection.sql.js'
import type { GrantStore } from '../stores/types.js'
import type { TokenFormat } from './token.js'

/**
 * Handles a form posted to `/oauth/revoke` (RFC 7009 §2.1). Also succeeds if the client has no such token.
 * `token_type_hint` is ignored, because the format of a token shows its type.
 * @throws OAuthError if `token` or `client_id` is missing, or the client is unknown
 */
type Revoke = (parameters: Parameters) => Promise<void>

interface RevocationDependencies {
  clients: Clients
  connections: ConnectionStore
  record: RecordActivity
  grants: GrantStore
  format: TokenFormat
  clock: Clock
}

/** Revocation (RFC 7009): a refresh token ends its connection, an access token only itself. */
export function createRevoke({ clients, format, clock, ...stores }: RevocationDependencies): Revoke {
  const ownedBy = async (clientId: string, connectionId: string) =>
    (await stores.grants.find(connectionId))?.clientId === clientId

  return async parameters => {
    rejectRepeated(parameters)
    const token = required(parameters, 'token')
    const id = required(parameters, 'client_id')
    await clients.requireKnown(id)
    const access = format.readAccessToken(token)
    if (access && (await ownedBy(id, access.connectionId))) {
      await stores.grants.revokeAccessToken(access.connectionId, access.hash)
      return
    }
    // A used refresh token also counts: the client may have signed out while a refresh was in flight (RULES
    // V3).
    const refresh = format.readRefreshToken(token)
    if (refresh && (await ownedBy(id, refresh.connectionId))) {
      await endConnection(stores, refresh.connectionId, clock(), revocationReasons.byClient)
    }
  }
}
