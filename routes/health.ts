import type { FastifyInstance } from 'fastify'
import { Unavailable } from '../platform/common/unavailable.js'

/**
 * `/healthz` reports that the process responds. `/readyz`, for load balancers, also checks the stores and
 * fails during shutdown. Both are answered for any `Host`, because load balancers check without it.
 */
export default async function healthRoutes(app: FastifyInstance) {
  const options = { logLevel: 'warn', config: { exemptFromShedding: true, anyHost: true } } as const
  app.get('/healthz', options, async () => ({ status: 'ok' }))
  app.get('/readyz', options, async () => {
    if (app.stopping) throw new Unavailable('stopping')
    await Promise.all([app.database.ping(), app.redis?.ping()])
    return { status: 'ready' }
  })
}
