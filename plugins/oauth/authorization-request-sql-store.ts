import type { Database } from '../database.js'
import type { AuthorizationRequestStore } from './store.js'

export function sqlAuthorizationRequestStore(database: Database): AuthorizationRequestStore {
  return {
    async add(idHash, request) {
      await database.write(trx =>
        trx
          .insertInto('authorization_requests')
          .values({
            id_hash: idHash,
            request_json: JSON.stringify(request),
            expires_at: request.expiresAt,
          })
          .execute(),
      )
    },

    async find(idHash, now) {
      const row = await database.read
        .selectFrom('authorization_requests')
        .select('request_json')
        .where('id_hash', '=', idHash)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return row ? JSON.parse(row.request_json) : null
    },

    async consume(idHash, now) {
      const row = await database.write(trx =>
        trx
          .deleteFrom('authorization_requests')
          .where('id_hash', '=', idHash)
          .where('expires_at', '>', now)
          .returning('request_json')
          .executeTakeFirst(),
      )
      return row ? JSON.parse(row.request_json) : null
    },
  }
}
