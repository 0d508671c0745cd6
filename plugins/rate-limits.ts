import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Clock } from '../platform/common/clock.js'
import { RateLimiter } from '../platform/limits/rate-limiter.js'

const SWEEP_MS = 60_000

declare module 'fastify' {
  interface FastifyInstance {
    rateLimiter: RateLimiter
  }
}

export default fp(
  async function rateLimitsPlugin(app: FastifyInstance, { clock }: { clock: Clock }) {
    const rateLimiter = new RateLimiter(app.config.callsPerSecond, clock)
    const sweeper = setInterval(() => {
      for (const [connectionId, rejected] of rateLimiter.sweep())
        app.log.warn(
          { connectionId, rejected },
          'a connection exceeded its rate limit or its account’s processor time',
        )
    }, SWEEP_MS).unref()
    app.decorate('rateLimiter', rateLimiter)
    app.addHook('onClose', async () => clearInterval(sweeper))
  },
  { name: 'rate-limits', dependencies: ['config'] },
)
