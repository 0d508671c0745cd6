import { newId, type Random } from '../../../platform/common/secrets.js'
import type { RecordActivity } from '../../activity/entry.js'
import type { ConnectionStore } from '../stores/connection.sql.js'
import type { GrantStore } from '../stores/types.js'
import { oauthTexts } from '../texts.js'
import { type Connection, type Grant, powersOf } from './access.js'

/** How a connection appears in the user's list. */
type ConnectionDisplay = Pick<
  Connection,
  'clientName' | 'standing' | 'redirectHost' | 'app' | 'keepsQuestions'
>

/** Why a connection ended, as sentences for the user. They are stored with the connection. */
export const { revocationReasons } = oauthTexts

/** The stores of connections: their rows, and their live state. */
export interface Stores {
  connections: ConnectionStore
  grants: GrantStore
  record: RecordActivity
}

/**
 * Inserts the durable row of a new connection, then calls `begin` to store its code or token. In this order,
 * no connection can work without being visible to its user.
 * @returns the result of `begin`
 */
export async function beginConnection<T>(
  { connections, grants, record }: Stores,
  grant: Grant,
  display: ConnectionDisplay,
  now: number,
  random: Random,
  begin: (connectionId: string) => Promise<T>,
): Promise<T> {
  const id = newId(random)
  const { withdrawnScope: _, ...access } = grant
  await connections.add({
    ...access,
    ...powersOf(grant),
    ...display,
    id,
    createdAt: now,
    lastUsedAt: null,
    calls: 0,
    revokedAt: null,
    revokedReason: null,
  })
  const result = await begin(id)
  // The user may have revoked all connections after the row was inserted but before there was a grant to
  // revoke.
  if ((await connections.find(id))?.revokedAt !== null) await grants.revoke(id)
  const { accountId } = grant
  record({ kind: 'connected', accountId, connectionId: id, detail: display.redirectHost || null })
  return result
}

/**
 * Revokes a connection, then records why. In this order, a connection that is shown as ended has ended. The
 * second revocation covers a connection that was being created meanwhile (`beginConnection`).
 */
export async function endConnection(
  stores: Stores,
  connectionId: string,
  at: number,
  reason: string,
): Promise<void> {
  await stores.grants.revoke(connectionId)
  await markRevoked(stores, [connectionId], at, reason)
  await stores.grants.revoke(connectionId)
}

/** Like `endConnection`, for several connections. */
export async function endConnections(
  stores: Stores,
  ids: readonly string[],
  at: number,
  reason: string,
): Promise<void> {
  if (ids.length === 0) return
  await stores.grants.revokeAll(ids)
  await markRevoked(stores, ids, at, reason)
  await stores.grants.revokeAll(ids)
}

/** Records the end of connections with its reason, in their rows and in the activity of their users. */
export async function markRevoked(
  { connections, record }: Pick<Stores, 'connections' | 'record'>,
  ids: readonly string[],
  at: number,
  reason: string,
): Promise<void> {
  const kind = reason === revocationReasons.refreshReused ? 'refresh-reused' : 'ended'
  for (const { id, accountId } of await connections.markRevoked(ids, at, reason)) {
    record({ kind, accountId, connectionId: id, detail: reason })
  }
}
