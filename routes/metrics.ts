import { createHash, timingSafeEqual } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { DomainError } from '../platform/common/domain-error.js'
import { bearerToken } from '../platform/limits/bearer-token.js'
import type { Metrics } from '../plugins/metrics/open-metrics.js'

/**
 * `/metrics` in the text format of Prometheus: on METRICS_PORT, otherwise on the port of the service. Without a port
 * and a token there is no such route.
 */
export default async function metricsRoutes(app: FastifyInstance) {
  const { metrics, config } = app
  if (!metrics || !config.metrics) return
  const { port, token } = config.metrics
  if (port === null) return addRoute(app, metrics, token)
  const second = Fastify({ logger: false, http: { headersTimeout: 5000 }, requestTimeout: 10_000 })
  // A page that rebinds a name (DNS rebinding) cannot know the token.
  if (token === null)
    second.addHook('onRequest', (request, _reply, done) => done(app.hostError(request.raw) ?? undefined))
  second.setErrorHandler((error: Partial<DomainError>, _request, reply) =>
    reply.code(error.status ?? 500).send({ error: error.code ?? 'server_error' }),
  )
  addRoute(second, metrics, token)
  // Before the service listens, so that a taken port stops the start.
  app.addHook('onReady', async () => {
    await second.listen({ host: config.host, port })
  })
  app.addHook('onClose', () => second.close())
}

function addRoute(app: FastifyInstance, metrics: Metrics, token: string | null): void {
  const expected = token && digestOf(token)
  const authorize = async ({ headers }: FastifyRequest, reply: FastifyReply) => {
    const presented = bearerToken(headers.authorization) ?? ''
    if (!expected || timingSafeEqual(digestOf(presented), expected)) return
    reply.header('WWW-Authenticate', 'Bearer')
    throw new DomainError(401, 'unauthorized', 'METRICS_TOKEN is required.')
  }
  const options = { logLevel: 'warn', config: { exemptFromShedding: true }, onRequest: authorize } as const
  app.get('/metrics', options, async (_request, reply) => {
    reply.header('Cache-Control', 'no-store').type(metrics.contentType)
    return metrics.read()
  })
}

/** Digests have the same length, so that comparing them takes the same time for any token. */
const digestOf = (text: string) => createHash('sha256').update(text).digest()
