import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { version } from '../../platform/common/package.js'
import type { Metrics } from './open-metrics.js'
import { routeOf } from './route-of.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** `null` without METRICS_PORT and METRICS_TOKEN: nothing is measured then. */
    metrics: Metrics | null
  }
}

/** Measures this process for Prometheus (docs/operation.md). */
export default fp(
  async function metricsPlugin(app: FastifyInstance) {
    if (!app.config.metrics) return void app.decorate<Metrics | null>('metrics', null)
    // Loaded on demand, for a faster start without metrics.
    const { openMetrics } = await import('./open-metrics.js')
    const metrics = openMetrics({
      version,
      indexLimitBytes: app.config.indexCacheBytes,
      indexes: () => app.safes.indexes.statistics,
    })
    app.decorate<Metrics | null>('metrics', metrics)
    app.addHook('onResponse', (request, reply, done) => {
      metrics.countRequest(request.method, routeOf(request), reply.statusCode, reply.elapsedTime)
      done()
    })
    app.addHook('onClose', async () => metrics.close())
  },
  { name: 'metrics', dependencies: ['config', 'safes'] },
)
