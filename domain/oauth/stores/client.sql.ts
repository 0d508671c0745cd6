import { type Selectable, sql } from 'kysely'
import type { Schema } from '../../../platform/storage/schema.js'
import { deleteAll, SLICE_ROWS } from '../../../platform/storage/slices.js'
import { tables } from '../../../platform/storage/where.js'
import { fromRow, toRow } from '../../names.js'
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
    const row = await tables.find(this.db, 'clients', { id: clientId })
    return row ? clientOf(row) : null
  }

  /** A registration that has been used is never removed (RULES G6). */
  async markUsed(clientId: string, at: number): Promise<void> {
    await this.changeRows('clients', { id: clientId }, { last_used_at: at })
  }

  /** Removes registrations created before `createdBefore` that were never used. */
  async removeUnused(createdBefore: number): Promise<void> {
    const where = sql`last_used_at is null and created_at < ${createdBefore}`
    await deleteAll(this.database, 'clients', where)
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

const rowOf = ({ redirectUris, grantTypes, ...client }: Client): Selectable<Schema['clients']> => ({
  ...toRow(client),
  redirect_uris_json: JSON.stringify(redirectUris),
  grant_types_json: JSON.stringify(grantTypes),
})

const clientOf = ({
  redirect_uris_json,
  grant_types_json,
  ...row
}: Selectable<Schema['clients']>): Client => ({
  ...fromRow(row),
  redirectUris: JSON.parse(redirect_uris_json),
  grantTypes: JSON.parse(grant_types_json),
})
