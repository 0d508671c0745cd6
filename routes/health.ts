import type { FastifyInstance } from 'fastify'

/** `/healthz`: the process answers. `/readyz`: its stores do, too (a load balancer asks this one). */
export default async function healthRoutes(app: FastifyInstance) {
  app.get('/healthz', { logLevel: 'warn' }, async () => ({ status: 'ok' }))
  app.get('/readyz', { logLevel: 'warn' }, async () => {
    await Promise.all([app.database.ping(), app.redis?.ping()])
    return { status: 'ready' }
  })
}
