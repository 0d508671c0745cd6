import type { Result } from 'ioredis'
import { newId } from '../../../platform/common/secrets.js'
import { Unavailable } from '../../../platform/common/unavailable.js'
import type { ThrottleResult, ThrottleStore } from '../../../platform/limits/throttle-store.js'
import type { RedisClient } from '../../../platform/storage/redis/client.js'
import { commandDeadline } from '../../../platform/storage/redis/command-deadline.js'
import { createFailoverReplay, type FailoverReplay } from '../../../platform/storage/redis/failover-replay.js'
import { type LoginSession, type LoginSessionStore, SESSIONS_LISTED } from './types.js'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    throttleTake(
      ...args: [key: string, limit: number, windowMs: number, attempt: string, startBy: number]
    ): Result<[number, number, number], Context>
    throttleRelease(key: string, attempt: string): Result<number, Context>
  }
}

/**
 * Login sessions in Redis, which expires them. A sorted set per account lists them by expiry, for pages only; a
 * session that is missing in it still works.
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

/** The count of a key, and the last attempt that changed it: a repeated command has no further effect. */
const READ_COUNT = `local count, last = string.match(redis.call('GET', KEYS[1]) or '0', '^(%d+) ?(.*)$')
count = tonumber(count)
local left = redis.call('PTTL', KEYS[1])`

/** ARGV: limit, ms to live, attempt, start-by time (`platform/storage/redis/command-deadline.ts`). */
const TAKE = `${READ_COUNT}
if last == ARGV[3] then return { 1, count, left } end
local time = redis.call('TIME')
if time[1] * 1000 + time[2] / 1000 > tonumber(ARGV[4]) then return { -1, 0, 0 } end
if count >= tonumber(ARGV[1]) then return { 0, count, left } end
if left < 0 then left = tonumber(ARGV[2]) end
redis.call('SET', KEYS[1], count + 1 .. ' ' .. ARGV[3], 'PX', left)
return { 1, count + 1, left }`

/** ARGV: attempt. */
const RELEASE = `${READ_COUNT}
if count > 0 and left > 0 and last ~= ARGV[1] then
  redis.call('SET', KEYS[1], count - 1 .. ' ' .. ARGV[1], 'PX', left)
end`

/** Sign-in throttles in Redis. An attempt that was answered with 503 is not counted later. */
export class RedisThrottleStore implements ThrottleStore {
  readonly #redis: RedisClient
  readonly #startBy: () => number

  constructor(redis: RedisClient) {
    redis.defineCommand('throttleTake', { numberOfKeys: 1, lua: TAKE })
    redis.defineCommand('throttleRelease', { numberOfKeys: 1, lua: RELEASE })
    this.#redis = redis
    this.#startBy = commandDeadline(redis)
  }

  async take(key: string, limit: number, windowMs: number): Promise<ThrottleResult> {
    const name = `throttle:${key}`
    const taken = await this.#redis.throttleTake(name, limit, windowMs, newId(), this.#startBy())
    const [allowed, count, resetInMs] = taken
    if (allowed < 0) throw new Unavailable('Redis started the command after its deadline')
    return { isAllowed: allowed === 1, count, resetInMs }
  }

  async release(key: string): Promise<void> {
    await this.#redis.throttleRelease(`throttle:${key}`, newId())
  }

  async clear(key: string): Promise<void> {
    await this.#redis.del(`throttle:${key}`)
  }
}

const readSession = (text: string): LoginSession => {
  const session = JSON.parse(text)
  // Versions before 0005 stored no device.
  return { userAgent: null, address: null, lastSeenAt: session.createdAt, ...session }
}

const listKey = (accountId: string) => `logins:${accountId}`
const loginKey = (idHash: string) => `login:${idHash}`
