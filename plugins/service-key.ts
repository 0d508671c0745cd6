import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { type KeyFor, mac, random } from '../platform/common/secrets.js'
import type { Database } from '../platform/storage/database.js'
import { selectWhere, tables } from '../platform/storage/where.js'

/** The service's own key, or null before its first start. */
export async function findServiceKey({ read }: Pick<Database, 'read'>): Promise<KeyFor | null> {
  const value = await valueIn(read)
  return value ? keyFrom(value) : null
}

/** Loads the service's own key, or creates it. Processes that start at the same time agree on one key. */
export async function loadServiceKey(database: Database): Promise<KeyFor> {
  const find = () => valueIn(database.read)
  let key = await find()
  if (!key) {
    const value = random(32).toString('base64url')
    await database.write(trx => tables.add(trx, 'service_keys', { name: 'main', value }))
    key = (await find()) ?? value
  }
  return keyFrom(key)
}

async function valueIn(db: Database['read']): Promise<string | undefined> {
  const query = selectWhere(db, 'service_keys', { name: 'main' }).select('value')
  return (await query.executeTakeFirst())?.value
}

function keyFrom(value: string): KeyFor {
  const main = Buffer.from(value, 'base64url')
  return purpose => mac(main, purpose)
}

declare module 'fastify' {
  interface FastifyInstance {
    keyFor: KeyFor
  }
}

export default fp(
  async function serviceKeyPlugin(app: FastifyInstance) {
    app.decorate('keyFor', await loadServiceKey(app.database))
  },
  { name: 'service-key', dependencies: ['database'] },
)
