import proxyAddr from '@fastify/proxy-addr'
import type { FastifyInstance } from 'fastify'
import { isProbe, type SeenRequest } from '../domain/doctor/probe.js'
import { notFound } from '../platform/common/domain-error.js'

const OF_PROXIES = ['via', 'forwarded', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto']

/** Returns to `svc doctor`, and nobody else, its own request as received (ADR 62). */
export default async function probeRoutes(app: FastifyInstance) {
  app.get<{ Params: { probe: string } }>('/doctor/:probe', { logLevel: 'warn' }, async (request, reply) => {
    if (!isProbe(app.keyFor, request.params.probe, Date.now())) throw notFound('page')
    reply.header('Cache-Control', 'no-store')
    const forwardedFor = request.headers['x-forwarded-for']
    const peer = request.socket.remoteAddress ?? ''
    return {
      address: request.ip,
      peer,
      isPeerTrusted: isTrusted(app.config.trustProxy, peer),
      forwardedFor: forwardedFor === undefined ? null : String(forwardedFor),
      isProxied: OF_PROXIES.some(name => request.headers[name] !== undefined),
    } satisfies SeenRequest
  })
}

/** Whether a proxy at this address is trusted. */
const isTrusted = (trustProxy: readonly string[], address: string) =>
  trustProxy.length > 0 && proxyAddr.compile([...trustProxy])(address, 0)
