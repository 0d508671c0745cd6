import { type Selectable, sql } from 'kysely'
import type { Schema } from '../database/schema.js'
import type { Database } from '../database.js'
import type { Connection, Resource } from './access.js'
import type { ConnectionStore } from './store.js'

export function sqlConnectionStore(database: Database): ConnectionStore {
  return {
    async add(connection) {
      await database.write(trx => trx.insertInto('connections').values(rowOf(connection)).execute())
    },

    async find(connectionId) {
      const row = await database.read
        .selectFrom('connections')
        .selectAll()
        .where('id', '=', connectionId)
        .executeTakeFirst()
      return row ? connectionOf(row) : null
    },

    async listFor(accountId) {
      const rows = await database.read
        .selectFrom('connections')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute()
      return rows.map(connectionOf)
    },

    async markRevoked(connectionId, at, reason) {
      await database.write(trx =>
        trx
          .updateTable('connections')
          .set({ revoked_at: at, revoked_reason: reason })
          .where('id', '=', connectionId)
          .where('revoked_at', 'is', null)
          .execute(),
      )
    },

    async recordUse(connectionId, calls, at) {
      await database.write(trx =>
        trx
          .updateTable('connections')
          .set({ calls: sql`calls + ${calls}`, last_used_at: at })
          .where('id', '=', connectionId)
          .execute(),
      )
    },
  }
}

function rowOf(connection: Connection & { resourceSent: boolean }): Schema['connections'] {
  return {
    id: connection.id,
    account_id: connection.accountId,
    client_id: connection.clientId,
    client_name: connection.clientName,
    client_verified: Number(connection.clientVerified),
    redirect_host: connection.redirectHost,
    scope: connection.scope.join(' '),
    resource: connection.resource,
    resource_sent: Number(connection.resourceSent),
    chosen_safe_id: connection.chosenSafeId,
    only_chosen_safe: Number(connection.onlyChosenSafe),
    created_at: connection.createdAt,
    last_used_at: connection.lastUsedAt,
    calls: connection.calls,
    revoked_at: connection.revokedAt,
    revoked_reason: connection.revokedReason,
  }
}

function connectionOf(row: Selectable<Schema['connections']>): Connection {
  return {
    id: row.id,
    accountId: row.account_id,
    clientId: row.client_id,
    clientName: row.client_name,
    clientVerified: row.client_verified === 1,
    redirectHost: row.redirect_host,
    scope: row.scope.split(' '),
    resource: row.resource as Resource,
    chosenSafeId: row.chosen_safe_id,
    onlyChosenSafe: row.only_chosen_safe === 1,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    calls: row.calls,
    revokedAt: row.revoked_at,
    revokedReason: row.revoked_reason,
  }
}
