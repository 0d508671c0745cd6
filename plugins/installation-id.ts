import type { Redis } from 'ioredis'
import { newId } from '../platform/common/secrets.js'
import type { Database } from '../platform/storage/database.js'
import { isCluster } from '../platform/storage/redis/client.js'
import { openRedis } from '../platform/storage/redis/redis-client.js'
import { INSTALLATION } from '../platform/storage/tables.js'
import { updateWhere } from '../platform/storage/where.js'

/** Prefix of the row's value until the keys of a version without ids have been copied: these. */
const UPDATING = 'updating '
const KEYS = ['login:*', 'logins:*', 'oauth:*', 'throttle:*']

/**
 * The random id of this installation, the prefix of its keys in Redis. Processes that start together agree on one. The
 * first start after an update copies keys without an id.
 */
export async function installationId(database: Database, redisUrl: string): Promise<string> {
  const keys = database.read.selectFrom('service_keys').select('value')
  const find = async (name: string) => (await keys.where('name', '=', name).executeTakeFirst())?.value
  const replace = (before: string, value: string) =>
    database.write(trx => {
      const row = updateWhere(trx, 'service_keys', { name: INSTALLATION }).set({ value })
      return row.where('value', '=', before).execute()
    })
  const found = await find(INSTALLATION)
  if (found === '') await replace('', newId())
  if (found === undefined) {
    const row = { name: INSTALLATION, value: ((await find('main')) === undefined ? '' : UPDATING) + newId() }
    await database.write(trx => {
      const insert = trx.insertInto('service_keys').values(row)
      return insert.onConflict(c => c.doNothing()).execute()
    })
  }
  const value = (await find(INSTALLATION)) ?? ''
  if (!value.startsWith(UPDATING)) return value
  const id = value.slice(UPDATING.length)
  await copyKeys(redisUrl, id)
  await replace(value, id)
  return id
}

/** Copies keys without an id, with their TTL, to names that begin with `id`. Safe to repeat. */
async function copyKeys(url: string, id: string): Promise<void> {
  const redis = await openRedis(url)
  const copy = async (key: string) => {
    const [value, ttl] = await Promise.all([redis.dumpBuffer(key), redis.pttl(key)])
    if (value === null || ttl <= 0) return
    await redis.restore(`${id}:${key}`, ttl, value).catch(error => {
      if (!/^BUSYKEY/.test(error.message)) throw error
    })
  }
  try {
    const servers: Redis[] = isCluster(redis) ? redis.nodes('master') : [redis]
    for (const server of servers)
      for (const match of KEYS)
        for await (const keys of server.scanStream({ match, count: 1000 }))
          await Promise.all((keys as string[]).map(copy))
  } finally {
    redis.disconnect()
  }
}
