import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Redis } from 'ioredis'

/**
 * Connects to Redis. A command either answers within two seconds or fails: with the offline queue on, requests
 * would hang while Redis is away instead of getting their 503.
 */
export async function openRedis(url: string): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    maxRetriesPerRequest: 1,
    commandTimeout: 2000,
    connectTimeout: 5000,
    retryStrategy: attempt => Math.min(attempt * 100, 1000),
  })
  // Without a listener a lost connection would end the process; commands report it to their callers.
  redis.on('error', () => {})
  try {
    await redis.connect()
  } catch (error) {
    redis.disconnect()
    throw new Error('REDIS_URL: no Redis answers there.', { cause: error })
  }
  return redis
}

/** Whether an error means "Redis is away", which callers answer with 503. */
export function isRedisAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name === 'MaxRetriesPerRequestError' || error.name === 'AbortError') return true
  return /Command timed out|Connection is closed|Stream isn't writeable|ECONNREFUSED|ECONNRESET|ETIMEDOUT|LOADING/.test(
    error.message,
  )
}

declare module 'fastify' {
  interface FastifyInstance {
    /** `null` in the embedded set-up. */
    redis: Redis | null
  }
}

export default fp(
  async function redisPlugin(app: FastifyInstance) {
    const url = app.config.redisUrl
    const redis = url ? await openRedis(url) : null
    app.decorate('redis', redis)
    app.addHook('onClose', async () => {
      await redis?.quit().catch(() => redis.disconnect())
    })
  },
  { name: 'redis', dependencies: ['config'] },
)
