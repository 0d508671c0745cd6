import type { Redis } from 'ioredis'
import { isCluster } from './client.js'
import { openRedis } from './redis-client.js'

/** Keys of people's sessions, of connections with their tokens, and of requests that wait (docs/redis-keys.md). */
const SIGN_INS = ['login:*', 'logins:*', 'oauth:{*', 'oauth:request:*']

/** Ends every sign-in: people sign in again, and assistants ask for approval again. @throws when Redis cannot be reached */
export async function endSignIns(url: string): Promise<void> {
  const redis = await openRedis(url)
  try {
    const servers = isCluster(redis) ? redis.nodes('master') : [redis]
    for (const server of servers) for (const keys of SIGN_INS) await removeAll(server, keys)
  } finally {
    redis.disconnect()
  }
}

async function removeAll(server: Redis, match: string): Promise<void> {
  // One key a command: in a cluster, keys of one command must be in one slot.
  for await (const keys of server.scanStream({ match, count: 1000 }))
    await Promise.all((keys as string[]).map(key => server.unlink(key)))
}
