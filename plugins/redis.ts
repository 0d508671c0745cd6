import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { RedisClient } from '../storage/redis/client.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** `null` in the embedded set-up. */
    redis: RedisClient | null
  }
}

export default fp(
  async function redisPlugin(app: FastifyInstance) {
    const url = app.config.redisUrl
    // Loaded where it is needed: a start without Redis is quicker.
    const redis = url ? await (await import('../storage/redis/redis-client.js')).openRedis(url) : null
    app.decorate<RedisClient | null>('redis', redis)
    app.addHook('onClose', async () => {
      await redis?.quit().catch(() => {})
      // Also after `quit`, which leaves the lines to sentinels open.
      redis?.disconnect()
    })
  },
  { name: 'redis', dependencies: ['config'] },
)
