import { type Selectable, sql } from 'kysely'
import { deleteSome, SLICE_ROWS } from '../../../platform/storage/delete-some.js'
import type { Schema } from '../../../platform/storage/schema.js'
import { inSlices } from '../../../platform/storage/slices.js'
import { selectWhere, updateWhere } from '../../../platform/storage/where.js'
import { Store } from '../../store.js'
import type { Client } from '../clients/client.js'

/**
 * Clients that registered dynamically, and clients with a metadata document that a user has approved. Times
 * are milliseconds since 1970.
 */
export class ClientStore extends Store {
  /** Does nothing if the id exists: a returning client is restored, not changed. */
  async add(client: Client): Promise<void> {
    await this.database.write(trx =>
      trx
        .insertInto('clients')
        .values(rowOf(client))
        .onConflict(c => c.column('id').doNothing())
        .execute(),
    )
  }

  /** Like `add`, but updates an existing client to what its document says now. */
  async put(client: Client): Promise<void> {
    const { id, last_used_at, ...metadata } = rowOf(client)
    await this.database.write(trx =>
      trx
        .insertInto('clients')
        .values({ id, last_used_at, ...metadata })
        .onConflict(c => c.column('id').doUpdateSet(metadata))
        .execute(),
    )
  }

  async find(clientId: string): Promise<Client | null> {
    const row = await selectWhere(this.db, 'clients', { id: clientId }).selectAll().executeTakeFirst()
    return row ? clientOf(row) : null
  }

  /** A registration that has been used is never removed (RULES G6). */
  async markUsed(clientId: string, at: number): Promise<void> {
    await this.database.write(trx =>
      updateWhere(trx, 'clients', { id: clientId }).set({ last_used_at: at }).execute(),
    )
  }

  /** Removes registrations created before `createdBefore` that were never used. */
  async removeUnused(createdBefore: number): Promise<void> {
    const where = sql`last_used_at is null and created_at < ${createdBefore}`
    await inSlices(
      async () => (await this.database.write(trx => deleteSome(trx, 'clients', ['id'], where))) >= SLICE_ROWS,
    )
  }

  /**
   * Removes a batch of the oldest registrations that were never used while there are more than `keep`.
   * Returns true if there may be more to remove.
   */
  removeOldestUnused(keep: number): Promise<boolean> {
    return this.database.write(async trx => {
      const most = keep + SLICE_ROWS
      const unused = trx.selectFrom('clients').where('last_used_at', 'is', null)
      const counted = await trx
        .selectFrom(unused.select('created_at').limit(most).as('counted'))
        .select(eb => eb.fn.countAll<number>().as('rows'))
        .executeTakeFirstOrThrow()
      const surplus = Number(counted.rows) - keep
      if (surplus <= 0) return false
      const oldest = unused.orderBy('created_at').limit(surplus).select('id')
      await trx.deleteFrom('clients').where('id', 'in', oldest).execute()
      return surplus === SLICE_ROWS
    })
  }
}

const rowOf = (client: Client): Selectable<Schema['clients']> => ({
  id: client.id,
  name: client.name,
  redirect_uris_json: JSON.stringify(client.redirectUris),
  grant_types_json: JSON.stringify(client.grantTypes),
  created_at: client.createdAt,
  last_used_at: client.lastUsedAt,
})

function clientOf(row: Selectable<Schema['clients']>): Client {
  return {
    id: row.id,
    name: row.name,
    redirectUris: JSON.parse(row.redirect_uris_json),
    grantTypes: JSON.parse(row.grant_types_json),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }
}
