import { type Selectable, type SqlBool, sql } from 'kysely'
import type { Database } from '../../storage/database.js'
import { deleteSome } from '../../storage/delete-some.js'
import type { Schema } from '../../storage/schema.js'
import type { Connection, ConnectionPage, Resource } from '../connections/access.js'
import { CONNECTION_BATCH_SIZE, type Use } from './types.js'

/** Connections as users see them: durable rows that are kept after the connection ends. */
export class ConnectionStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async add(connection: Connection & { resourceSent: boolean }): Promise<void> {
    await this.#database.write(trx => trx.insertInto('connections').values(rowOf(connection)).execute())
  }

  async find(connectionId: string): Promise<Connection | null> {
    const row = await this.#database.read
      .selectFrom('connections')
      .selectAll()
      .where('id', '=', connectionId)
      .executeTakeFirst()
    return row ? connectionOf(row) : null
  }

  /**
   * Lists the connections of an account in pages: newest first, or, for ended ones, most recently ended
   * first.
   */
  async listFor(
    accountId: string,
    { kind, after, limit }: ConnectionPage & { limit: number },
  ): Promise<Connection[]> {
    const order = kind === 'ended' ? 'revoked_at' : 'created_at'
    const last = after === undefined ? null : await sortKeyOf(this.#database, accountId, after, order)
    if (after !== undefined && last === null) return []
    const rows = await this.#database.read
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
  }

  /** Records that and why a connection ended. Later calls do not change the reason. */
  async markRevoked(connectionId: string, at: number, reason: string): Promise<void> {
    await this.#database.write(trx =>
      trx
        .updateTable('connections')
        .set({ revoked_at: at, revoked_reason: reason })
        .where('id', '=', connectionId)
        .where('revoked_at', 'is', null)
        .execute(),
    )
  }

  /** Like `markRevoked`, for at most `CONNECTION_BATCH_SIZE` connections. */
  async markAllRevoked(connectionIds: readonly string[], at: number, reason: string): Promise<void> {
    if (connectionIds.length === 0) return
    await this.#database.write(trx =>
      trx
        .updateTable('connections')
        .set({ revoked_at: at, revoked_reason: reason })
        .where('id', 'in', connectionIds)
        .where('revoked_at', 'is', null)
        .execute(),
    )
  }

  /** Records what a lowered connection may still do. */
  async markLowered(
    connectionId: string,
    grant: Pick<Connection, 'scope' | 'chosenSafeIds' | 'onlyChosenSafe'>,
  ): Promise<void> {
    await this.#database.write(trx =>
      trx
        .updateTable('connections')
        .set({ scope: grant.scope.join(' '), ...chosenColumns(grant) })
        .where('id', '=', connectionId)
        .execute(),
    )
  }

  /** Adds to the call counts of at most `CONNECTION_BATCH_SIZE` connections in one statement. */
  async recordUse(uses: readonly Use[]): Promise<void> {
    if (uses.length === 0) return
    const rows = uses.map(
      ({ connectionId, calls, at }) =>
        sql`(cast(${connectionId} as text), cast(${calls} as integer), cast(${at} as bigint))`,
    )
    await this.#database.write(trx =>
      sql`with used (id, calls, at) as (values ${sql.join(rows)})
          update connections set calls = connections.calls + used.calls, last_used_at = used.at
          from used where connections.id = used.id`.execute(trx),
    )
  }

  /**
   * Returns up to `CONNECTION_BATCH_SIZE` connections that have not been ended and were created before
   * `createdBefore`, oldest first, starting after `after`.
   */
  async oldest(createdBefore: number, after?: Pick<Connection, 'id' | 'createdAt'>): Promise<Connection[]> {
    const rows = await this.#database.read
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
  }

  /** Deletes at most `CONNECTION_BATCH_SIZE` connections. */
  async forget(connectionIds: readonly string[]): Promise<void> {
    if (connectionIds.length === 0) return
    await this.#database.write(trx =>
      trx.deleteFrom('connections').where('id', 'in', connectionIds).execute(),
    )
  }

  /** Deletes a batch of an account's connections. Returns false if none are left. */
  forgetSome(accountId: string): Promise<boolean> {
    return this.#database.write(
      async trx => (await deleteSome(trx, 'connections', ['id'], sql`account_id = ${accountId}`)) > 0,
    )
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
    ...chosenColumns(connection),
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
    chosenSafeIds: chosenOf(row),
    onlyChosenSafe: row.only_chosen_safe === 1,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    calls: row.calls,
    revokedAt: row.revoked_at,
    revokedReason: row.revoked_reason,
  }
}

/** `chosen_safe_id` alone says which Safe was chosen if it is one; versions before 0005 know no other. */
function chosenColumns({
  chosenSafeIds,
  onlyChosenSafe,
}: Pick<Connection, 'chosenSafeIds' | 'onlyChosenSafe'>) {
  return {
    chosen_safe_id: chosenSafeIds[0] ?? null,
    chosen_safes_json: chosenSafeIds.length > 1 ? JSON.stringify(chosenSafeIds) : null,
    only_chosen_safe: Number(onlyChosenSafe),
  }
}

function chosenOf(row: Selectable<Schema['connections']>): string[] {
  if (row.chosen_safes_json !== null) return JSON.parse(row.chosen_safes_json)
  return row.chosen_safe_id === null ? [] : [row.chosen_safe_id]
}
