import type { Redis } from 'ioredis'
import type { Clock } from '../clock.js'
import type { AuthorizationRequest } from './authorization-request.js'
import type { AuthorizationRequestStore } from './store.js'

export function redisAuthorizationRequestStore(redis: Redis, clock: Clock): AuthorizationRequestStore {
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
    consume: async (idHash, now) => read(await redis.getdel(key(idHash)), now),
  }
}
