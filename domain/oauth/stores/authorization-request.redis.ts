import type { Clock } from '../../../platform/common/clock.js'
import { Unavailable } from '../../../platform/common/unavailable.js'
import type { RedisClient } from '../../../platform/storage/redis/client.js'
import { commandDeadline } from '../../../platform/storage/redis/command-deadline.js'
import { createFailoverReplay } from '../../../platform/storage/redis/failover-replay.js'
import type { AuthorizationRequestStore } from './types.js'

/** ARGV: start-by time (`platform/storage/redis/command-deadline.ts`), time to live in milliseconds, attempt. */
const DECIDE = `
if redis.call('GET', KEYS[1]) == ARGV[3] then return 'first' end
local time = redis.call('TIME')
if time[1] * 1000 + time[2] / 1000 > tonumber(ARGV[1]) then return 'late' end
return redis.call('SET', KEYS[1], ARGV[3], 'NX', 'PX', ARGV[2]) and 'first' or 'again'`

/** ARGV: attempt. */
const RELEASE = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`

/** Decided requests as keys of Redis, which expire with the request. */
export function redisAuthorizationRequestStore(redis: RedisClient, clock: Clock): AuthorizationRequestStore {
  redis.defineCommand('oauthDecide', { numberOfKeys: 1, lua: DECIDE })
  redis.defineCommand('oauthRelease', { numberOfKeys: 1, lua: RELEASE })
  const scripts = redis as unknown as {
    oauthDecide(
      key: string,
      startBy: number,
      ms: number,
      attempt: string,
    ): Promise<'late' | 'first' | 'again'>
    oauthRelease(key: string, attempt: string): Promise<unknown>
  }
  const startBy = commandDeadline(redis)
  const remember = createFailoverReplay(redis)
  const key = (id: string) => `oauth:request:${id}`
  return {
    isDecided: async id => (await redis.exists(key(id))) > 0,

    async decide(id, attempt, expiresAt) {
      const ms = Math.max(1, expiresAt - clock())
      const outcome = await scripts.oauthDecide(key(id), startBy(), ms, attempt)
      if (outcome === 'late') throw new Unavailable('Redis started the command after its deadline')
      return outcome === 'first'
    },

    async release(id, attempt) {
      const step = () => scripts.oauthRelease(key(id), attempt)
      remember(step)
      await step()
    },
  }
}
