import type { Clock } from '../clock.js'
import type { RedisClient } from '../redis.js'
import { startByClock } from '../redis-start-by.js'
import { Unavailable } from '../unavailable.js'
import type { AuthorizationRequest } from './authorization-request.js'
import type { AuthorizationRequestStore } from './store.js'

/** ARGV: start by, see `plugins/redis-start-by.ts`. */
const CONSUME = `
local time = redis.call('TIME')
if time[1] * 1000 + time[2] / 1000 > tonumber(ARGV[1]) then return 'late' end
return redis.call('GETDEL', KEYS[1])`

export function redisAuthorizationRequestStore(redis: RedisClient, clock: Clock): AuthorizationRequestStore {
  redis.defineCommand('oauthDecide', { numberOfKeys: 1, lua: CONSUME })
  const scripts = redis as unknown as { oauthDecide(key: string, startBy: number): Promise<string | null> }
  const startBy = startByClock(redis)
  const key = (idHash: string) => `oauth:request:${idHash}`
  const read = (text: string | null, now: number): AuthorizationRequest | null => {
    const request: AuthorizationRequest | null = text ? JSON.parse(text) : null
    return request && request.expiresAt > now ? request : null
  }
  return {
    async add(idHash, request) {
      await redis.set(key(idHash), JSON.stringify(request), 'PX', Math.max(1, request.expiresAt - clock()))
    },
    find: async (idHash, now) => read(await redis.get(key(idHash)), now),
    async consume(idHash, now) {
      const text = await scripts.oauthDecide(key(idHash), startBy())
      if (text === 'late') throw new Unavailable('Redis began too late')
      return read(text, now)
    },
  }
}
