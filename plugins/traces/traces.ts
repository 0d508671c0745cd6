import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { version } from '../../platform/common/package.js'
import { routeOf } from '../metrics/route-of.js'
import type { RequestSpan, Traces } from './open-traces.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** `null` without OTEL_EXPORTER_OTLP_ENDPOINT: nothing is traced then. */
    traces: Traces | null
  }
}

/** Sends traces to a collector of OpenTelemetry (docs/operation.md). */
export default fp(
  async function tracesPlugin(app: FastifyInstance) {
    const { traces: settings, brand } = app.config
    if (!settings) return void app.decorate<Traces | null>('traces', null)
    // Loaded on demand, for a faster start without traces.
    const { openTraces } = await import('./open-traces.js')
    const traces = openTraces({
      ...settings,
      serviceName: brand,
      version,
      onUnreachable: err => app.log.warn({ err }, 'traces cannot be sent and are dropped'),
    })
    app.decorate<Traces | null>('traces', traces)
    const spans = new WeakMap<FastifyRequest, RequestSpan>()
    app.addHook('onRequest', (request, _reply, done) => {
      const span = traces.begin(request.method, request.headers)
      spans.set(request, span)
      span.within(done)
    })
    // Reading the body leaves the context: its events belong to the connection.
    app.addHook('preValidation', (request, _reply, done) => {
      const span = spans.get(request)
      if (span) span.within(done)
      else done()
    })
    app.addHook('onResponse', (request, reply, done) => {
      spans.get(request)?.end(routeOf(request), reply.statusCode)
      done()
    })
    app.addHook('onClose', () => traces.close())
  },
  { name: 'traces', dependencies: ['config'] },
)
