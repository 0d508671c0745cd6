import { type Selectable, type SqlBool, sql } from 'kysely'
import type { Database } from '../../storage/database.js'
import { deleteSome } from '../../storage/delete-some.js'
import type { Schema } from '../../storage/schema.js'
import type { Connection, Resource } from '../connections/access.js'
import { CONNECTION_BATCH_SIZE, type ConnectionStore } from './types.js'

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

    async listFor(accountId, { kind, after, limit }) {
      const order = kind === 'ended' ? 'revoked_at' : 'created_at'
      const last = after === undefined ? null : await sortKeyOf(database, accountId, after, order)
      if (after !== undefined && last === null) return []
      const rows = await database.read
        .selectFrom('connections')
        .selectAll()
        .where('account_id', '=', accountId)
        .$if(kind === 'open', query => query.where('revoked_at', 'is', null))
        .$if(kind === 'ended', query => query.where('revoked_at', 'is not', null))
        .$if(last !== null, query => query.where(sql<SqlBool>`(${sql.ref(order)}, id) < (${last}, ${after})`))
        .orderBy(order, 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
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

    async markAllRevoked(connectionIds, at, reason) {
      if (connectionIds.length === 0) return
      await database.write(trx =>
        trx
          .updateTable('connections')
          .set({ revoked_at: at, revoked_reason: reason })
          .where('id', 'in', connectionIds)
          .where('revoked_at', 'is', null)
          .execute(),
      )
    },

    async recordUse(uses) {
      if (uses.length === 0) return
      const rows = uses.map(
        ({ connectionId, calls, at }) =>
          sql`(cast(${connectionId} as text), cast(${calls} as integer), cast(${at} as bigint))`,
      )
      await database.write(trx =>
        sql`with used (id, calls, at) as (values ${sql.join(rows)})
          update connections set calls = connections.calls + used.calls, last_used_at = used.at
          from used where connections.id = used.id`.execute(trx),
      )
    },

    async oldest(createdBefore, after) {
      const rows = await database.read
        .selectFrom('connections')
        .selectAll()
        .where('revoked_at', 'is', null)
        .where('created_at', '<', createdBefore)
        .$if(after !== undefined, query =>
          query.where(sql<SqlBool>`(created_at, id) > (${after?.createdAt}, ${after?.id})`),
        )
        .orderBy('created_at')
        .orderBy('id')
        .limit(CONNECTION_BATCH_SIZE)
        .execute()
      return rows.map(connectionOf)
    },

    async forget(connectionIds) {
      if (connectionIds.length === 0) return
      await database.write(trx => trx.deleteFrom('connections').where('id', 'in', connectionIds).execute())
    },

    forgetSome: accountId =>
      database.write(
        async trx => (await deleteSome(trx, 'connections', ['id'], sql`account_id = ${accountId}`)) > 0,
      ),
  }
}

/** The value that the list of connections is sorted by, or null if the connection is not in the list. */
async function sortKeyOf(
  { read }: Database,
  accountId: string,
  connectionId: string,
  order: 'created_at' | 'revoked_at',
): Promise<number | null> {
  const row = await read
    .selectFrom('connections')
    .where('id', '=', connectionId)
    .where('account_id', '=', accountId)
    .select([`${order} as sortKey`])
    .executeTakeFirst()
  return row?.sortKey ?? null
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
