import type { FastifyInstance } from 'fastify'

/** `/healthz`: the process answers. `/readyz`: its stores do, too (a load balancer asks this one). */
export default async function healthRoutes(app: FastifyInstance) {
  const options = { logLevel: 'warn', config: { neverRefused: true } } as const
  app.get('/healthz', options, async () => ({ status: 'ok' }))
  app.get('/readyz', options, async () => {
    await Promise.all([app.database.ping(), app.redis?.ping()])
    return { status: 'ready' }
  })
}
