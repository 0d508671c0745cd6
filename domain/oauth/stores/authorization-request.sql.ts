import type { Database } from '../../../platform/storage/database.js'
import { tables } from '../../../platform/storage/where.js'
import type { AuthorizationRequestStore } from './types.js'

/** Decided requests as rows, which a sweep deletes. */
export function sqlAuthorizationRequestStore(database: Database): AuthorizationRequestStore {
  return {
    async isDecided(id) {
      const row = await tables.find(database.read, 'authorization_requests', { id_hash: id }, ['id_hash'])
      return row !== undefined
    },

    async decide(id, attempt, expiresAt) {
      const row = await database.write(trx =>
        trx
          .insertInto('authorization_requests')
          .values({ id_hash: id, request_json: attempt, expires_at: expiresAt })
          .onConflict(c => c.doNothing())
          .returning('id_hash')
          .executeTakeFirst(),
      )
      return row !== undefined
    },

    async release(id, attempt) {
      await database.write(trx =>
        tables.remove(trx, 'authorization_requests', { id_hash: id, request_json: attempt }),
      )
    },
  }
}
