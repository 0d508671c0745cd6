import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { RedisClient } from '../platform/storage/redis/client.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** `null` without REDIS_URL. */
    redis: RedisClient | null
  }
}

export default fp(
  async function redisPlugin(app: FastifyInstance) {
    const url = app.config.redisUrl
    // Loaded on demand, for a faster start without Redis.
    const load = async (url: string) => {
      const { installationId } = await import('./installation-id.js')
      const { openRedis } = await import('../platform/storage/redis/redis-client.js')
      return openRedis(url, `${await installationId(app.database, url)}:`)
    }
    const redis = url ? await load(url) : null
    app.decorate<RedisClient | null>('redis', redis)
    app.addHook('onClose', async () => {
      await redis?.quit().catch(() => {})
      // Also needed after `quit`, which leaves connections to sentinels open.
      redis?.disconnect()
    })
  },
  { name: 'redis', dependencies: ['config', 'database'] },
)
