import type { Clock } from '../../../platform/common/clock.js'
import { Unavailable } from '../../../platform/common/unavailable.js'
import type { RedisClient } from '../../../platform/storage/redis/client.js'
import { createCommandDeadline } from '../../../platform/storage/redis/command-deadline.js'
import type { AuthorizationRequestStore } from './types.js'

/** ARGV: start-by time (`platform/storage/redis/command-deadline.ts`), time to live in milliseconds. */
const DECIDE = `
local time = redis.call('TIME')
if time[1] * 1000 + time[2] / 1000 > tonumber(ARGV[1]) then return 'late' end
return redis.call('SET', KEYS[1], '', 'NX', 'PX', ARGV[2]) and 'first' or 'again'`

/** Decided requests as keys of Redis, which expire with the request. */
export function redisAuthorizationRequestStore(redis: RedisClient, clock: Clock): AuthorizationRequestStore {
  redis.defineCommand('oauthDecide', { numberOfKeys: 1, lua: DECIDE })
  const scripts = redis as unknown as {
    oauthDecide(key: string, startBy: number, ms: number): Promise<'late' | 'first' | 'again'>
  }
  const startBy = createCommandDeadline(redis)
  const key = (id: string) => `oauth:request:${id}`
  return {
    isDecided: async id => (await redis.exists(key(id))) > 0,

    async decide(id, expiresAt) {
      const outcome = await scripts.oauthDecide(key(id), startBy(), Math.max(1, expiresAt - clock()))
      if (outcome === 'late') throw new Unavailable('Redis started the command after its deadline')
      return outcome === 'first'
    },
  }
}
