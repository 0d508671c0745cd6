import type { Result } from 'ioredis'
import type { ThrottleResult, ThrottleStore } from '../../../platform/limits/throttle-store.js'
import type { RedisClient } from '../../../platform/storage/redis/client.js'
import { createFailoverReplay, type FailoverReplay } from '../../../platform/storage/redis/failover-replay.js'
import { type LoginSession, type LoginSessionStore, SESSIONS_LISTED } from './types.js'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    throttleTake(key: string, limit: number, windowMs: number): Result<[number, number, number], Context>
    throttleRelease(key: string): Result<number, Context>
  }
}

/**
 * Login sessions in Redis, which expires them. A sorted set per account names them by expiry, for lists only; a
 * session that is not in it works all the same.
 */
export class RedisLoginSessionStore implements LoginSessionStore {
  readonly #redis: RedisClient
  readonly #replayAfterFailover: FailoverReplay

  constructor(redis: RedisClient) {
    this.#redis = redis
    this.#replayAfterFailover = createFailoverReplay(redis)
  }

  async add(session: LoginSession): Promise<void> {
    const key = loginKey(session.idHash)
    await this.#redis.set(key, JSON.stringify(session), 'PX', session.expiresAt - session.createdAt)
    await this.#list(session, session.expiresAt, session.createdAt)
  }

  async #list({ accountId, idHash }: LoginSession, expiresAt: number, now: number): Promise<void> {
    const key = listKey(accountId)
    const steps = this.#redis.multi().zremrangebyscore(key, '-inf', now).zadd(key, expiresAt, idHash)
    await steps.pexpire(key, expiresAt - now).exec()
  }

  async find(idHash: string, now: number): Promise<LoginSession | null> {
    const text = await this.#redis.get(loginKey(idHash))
    const session = text === null ? null : readSession(text)
    return session && session.expiresAt > now ? session : null
  }

  async listFor(accountId: string, now: number): Promise<LoginSession[]> {
    const most = ['LIMIT', 0, SESSIONS_LISTED] as const
    const hashes = await this.#redis.zrevrangebyscore(listKey(accountId), '+inf', `(${now}`, ...most)
    const found = await Promise.all(hashes.map(hash => this.find(hash, now)))
    return found.filter(session => session !== null).sort((a, b) => b.createdAt - a.createdAt)
  }

  async extend(session: LoginSession, expiresAt: number, lastSeenAt: number): Promise<void> {
    const ttl = expiresAt - session.expiresAt + (await this.#redis.pttl(loginKey(session.idHash)))
    if (ttl <= 0) return
    const text = JSON.stringify({ ...session, expiresAt, lastSeenAt })
    if (await this.#redis.set(loginKey(session.idHash), text, 'PX', ttl, 'XX'))
      await this.#list(session, expiresAt, lastSeenAt)
  }

  async end(idHash: string): Promise<void> {
    const step = () => this.#redis.del(loginKey(idHash))
    await step()
    this.#replayAfterFailover(step)
  }
}

/** Sign-in throttles in Redis. */
export class RedisThrottleStore implements ThrottleStore {
  readonly #redis: RedisClient

  constructor(redis: RedisClient) {
    this.#redis = redis
    redis.defineCommand('throttleTake', {
      numberOfKeys: 1,
      lua: `
        local count = tonumber(redis.call('GET', KEYS[1]) or '0')
        local allowed = 0
        if count < tonumber(ARGV[1]) then
          allowed = 1
          count = redis.call('INCR', KEYS[1])
          if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
        end
        return { allowed, count, redis.call('PTTL', KEYS[1]) }`,
    })
    redis.defineCommand('throttleRelease', {
      numberOfKeys: 1,
      lua: `
        if tonumber(redis.call('GET', KEYS[1]) or '0') > 0 then return redis.call('DECR', KEYS[1]) end
        return 0`,
    })
  }

  async take(key: string, limit: number, windowMs: number): Promise<ThrottleResult> {
    const [allowed, count, resetInMs] = await this.#redis.throttleTake(`throttle:${key}`, limit, windowMs)
    return { isAllowed: allowed === 1, count, resetInMs }
  }

  async release(key: string): Promise<void> {
    await this.#redis.throttleRelease(`throttle:${key}`)
  }

  async clear(key: string): Promise<void> {
    await this.#redis.del(`throttle:${key}`)
  }
}

const readSession = (text: string): LoginSession => {
  const session = JSON.parse(text)
  // Versions before 0005 kept no device.
  return { userAgent: null, address: null, lastSeenAt: session.createdAt, ...session }
}

const listKey = (accountId: string) => `logins:${accountId}`
const loginKey = (idHash: string) => `login:${idHash}`
